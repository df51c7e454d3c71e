//go:build iprof_off

package gather

// ID returns 0 and false.
func (z *Zone) ID() (id int32, known bool) { return 0, false }
