// RUN: %aircc opt %s --air-serialize-tokens --verify-diagnostics

// expected-error@+1 {{passes tokens between functions; wait for them with air.wait_all}}
func.func private @takes(%t: !air.async.token) {
  air.wait_all [%t]
  return
}
