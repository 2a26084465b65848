# usage: mpirun -n N sh simulate_nodes.sh NODES PROGRAM ARGUMENT…
# Runs the program as a rank of mpirun's that behaves as if it was on one of the nodes.
AIRCC_NODE=$((OMPI_COMM_WORLD_RANK * $1 / OMPI_COMM_WORLD_SIZE))
export AIRCC_NODE
shift
exec "$@"
