# usage: same_folder.sh COMPILER INPUT
# Many compiles at the same time write into the current folder; none may remove
# what another one is writing.
for round in $(seq 10); do
  for number in $(seq 12); do
    "$1" "$2" --emit air -o "out$number.mlir" || echo "compile $number failed" &
  done
  wait
done
