# usage: exits.sh CODE COMMAND…
want=$1
shift
"$@"
got=$?
if [ "$got" -ne "$want" ]; then
  echo "exit code $got instead of $want: $*" >&2
  exit 1
fi
