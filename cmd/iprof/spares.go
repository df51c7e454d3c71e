package main

import (
	"os"
	"path/filepath"
	"strings"
)

// spareEnd is the end of the name of a report that a program keeps while it runs. The beginning is its process id.
const spareEnd = ".spare"

// writeSpares writes the reports of programs that could not write theirs to where these would be. The programs' status
// stays, so it only prints errors.
func (a *arguments) writeSpares(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*"+spareEnd))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil && a.report == "-" {
			_, err = os.Stderr.Write(text)
		} else if err == nil {
			id := strings.TrimSuffix(filepath.Base(name), spareEnd)
			err = os.WriteFile(strings.ReplaceAll(a.report, "%p", id), text, 0o666)
		}
		if err != nil {
			fail(err)
		}
	}
}
