package html

import (
	"strings"

	"example.com/iprof/process/report"
)

const mostForks = 200 // rows of the table of go statements

// appendForks appends "forks": [place, path, paths, goroutines, own, forked, waited] for each go statement.
func appendForks(b []byte, forks []report.Fork) []byte {
	shown := forks[:min(len(forks), mostForks)]
	return appendList(append(b, `,"forks":`...), shown, func(b []byte, f *report.Fork) []byte {
		b = appendText(append(b, '['), f.Crowd)
		b = appendText(append(b, ','), strings.Join(f.Path, " › "))
		for _, v := range [...]float64{float64(f.Paths), float64(f.Goroutines), f.Own, f.Forked, f.Waited} {
			b = appendFloat(append(b, ','), v)
		}
		return append(b, ']')
	})
}
