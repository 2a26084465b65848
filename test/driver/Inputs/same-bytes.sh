# usage: same-bytes.sh FOLDER SOURCE COMMAND…
# Runs the command, followed by the source name and -o, in two folders with a copy of the source, and in the second one
# twice. All outputs must have the same bytes. Commands that write several files are supported.
folder=$1
source=$2
shift 2
name=$(basename "$source")
run() {
  rm -rf "$1" && mkdir -p "$1/out" && cp "$source" "$1" || exit 1
  where=$1
  shift
  (cd "$where" && "$@" "$name" -o out/result) || exit 1
}
run "$folder/here" "$@"
run "$folder/far/away/from" "$@"
run "$folder/again" "$@"
[ -n "$(ls "$folder/here/out")" ] || { echo "no output: $*" >&2; exit 1; }
diff -r "$folder/here/out" "$folder/far/away/from/out" >&2 || exit 1
diff -r "$folder/here/out" "$folder/again/out" >&2
