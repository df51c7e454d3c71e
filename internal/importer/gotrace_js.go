package importer

import (
	"errors"
	"os"
)

// byReader fails: a browser starts no program.
func byReader(*os.File, string, *os.File, Frames) (Result, error) {
	return Result{}, errors.New("this is an execution trace of Go, or compressed with zstd; " +
		"iprof view FILE opens it with the program that reads those")
}
