package main

import (
	"fmt"
	"path/filepath"
	"runtime"
)

func place(n int) string {
	_, file, line, _ := runtime.Caller(n)
	return fmt.Sprint(" ", filepath.Base(file), ":", line)
}
