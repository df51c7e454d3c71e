//go:build !linux

package platform

import "os"

func readFile(name string) ([]byte, error) { return os.ReadFile(name) }
