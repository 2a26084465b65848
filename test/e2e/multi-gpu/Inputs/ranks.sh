# usage: ranks.sh RANKS PROGRAM ARGUMENT…
# Runs the program with this number of ranks, which wait three seconds for each other,
# and prints how each ended.
export AIRCC_WAIT_LIMIT=3 AIRCC_SIM_THREADS=1 AIRCC_JOB=test-$$ WORLD_SIZE=$1
shift
rank=0
while [ $rank -lt $WORLD_SIZE ]; do
  (
    RANK=$rank LOCAL_RANK=$rank "$@"
    echo "rank $rank of $WORLD_SIZE: status $?"
  ) &
  rank=$((rank + 1))
done
wait
