//go:build !linux

package samples

// stopTimer does nothing: there is no other timer.
func stopTimer() {}
