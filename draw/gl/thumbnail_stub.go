//go:build !cgo && !windows

package gl

// Thumbnail returns the error of NewRenderer.
func Thumbnail(on bool) error {
	if !on {
		return nil
	}
	return errNoCgo
}
