// RUN: %aircc opt %s --hierarchy-serialize-tokens --split-input-file --verify-diagnostics

// expected-error@+1 {{passes tokens between functions; wait for them with air.wait_all}}
func.func private @takes(%t: !air.async.token) {
  air.wait_all [%t]
  return
}

// -----

// expected-error@+1 {{returns a token and is defined elsewhere, where nothing can wait for it}}
func.func private @elsewhere() -> !air.async.token
