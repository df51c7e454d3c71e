//go:build iprof_off

package iprof

// Begin does nothing: this program was built with the tag iprof_off.
func Begin(name string) Scope { return Scope{} }

// Func does nothing: this program was built with the tag iprof_off.
func Func() Scope { return Scope{} }
