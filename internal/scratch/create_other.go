//go:build !windows

package scratch

import "os"

// create takes the file's name away at once: the space is freed when the last handle is closed.
func create(dir string) (*os.File, error) {
	file, err := os.CreateTemp(dir, "iprof-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
