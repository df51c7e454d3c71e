package auto

import _ "unsafe" // for linkname

// watch is the function of this package's goroutine. Its name in the symbol table makes that a system goroutine: the
// runtime takes goroutines as its own whose first function is in package runtime (isSystemGoroutine in
// runtime/traceback.go). It counts them nowhere, shows them in no stack trace, and does not wait for them before it
// reports that all goroutines are asleep. Checked with Go 1.25 and 1.26; TestTheProgramStaysItself in
// internal/instrument notices when that changes.
//
//go:linkname watch runtime.iprofWatch
func watch() { keep() }
