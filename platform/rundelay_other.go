//go:build !linux

package platform

import "time"

// delayFiles has nothing to read, because this system does not report run delays.
type delayFiles struct{}

func (*delayFiles) read(int) (id int, delay time.Duration, ok bool) { return 0, 0, false }

// ProcessDelay returns the summed run delay of the threads of a process. ok is always false here, because this system
// does not report it.
func ProcessDelay(int) (sum time.Duration, ok bool) { return 0, false }
