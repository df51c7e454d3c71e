//go:build !linux

package auto

import "os"

// file is an open file.
type file = os.File

// createFile creates a file that is not there yet.
func createFile(name string) (*file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// writeFile writes a file anew.
func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }
