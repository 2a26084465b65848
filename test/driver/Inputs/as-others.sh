# usage: as-others.sh COMMAND…
# Runs the command with no more rights to files than their modes give, which root
# otherwise has.
if [ "$(id -u)" -ne 0 ]; then
  exec "$@"
fi
exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"
