# usage: same-folder.sh COMPILER INPUT
# Runs many compiles concurrently that write into the current folder. None may remove files that another one is writing.
for round in $(seq 10); do
  for number in $(seq 12); do
    "$1" "$2" --emit air -o "out$number.mlir" || echo "compile $number failed" &
  done
  wait
done
