//go:build !linux

package auto

import "os"

// file is an open file.
type file = os.File

// createFile creates a new file. An existing file is an error.
func createFile(name string) (*file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// writeFile creates or replaces a file.
func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }
