# usage: on-small-disk.sh FOLDER COMMAND…
# Runs the command with a file system of 8 KiB mounted on FOLDER, and prints the names of the remaining files.
export folder=$1
shift
unshare -m sh -c '
  mount -t tmpfs -o size=8k tmpfs "$folder" || exit 1
  "$@" || exit 1
  ls -A "$folder" | sed "s/^/left: /"' sh "$@"
