//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package instrument

// lockFile does nothing: of two programs that change a file at once, one may change it in vain.
func lockFile(string) (unlock func()) { return func() {} }
