// Package scratch makes files that only the program sees, and that disappear at any end of the program, even when it is
// killed.
package scratch

import "os"

// New returns a new, empty file without a name, for reading and writing. Closing it frees its space. The error is the
// system's.
func New() (*os.File, error) { return create(os.TempDir()) }
