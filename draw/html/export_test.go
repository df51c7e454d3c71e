package html

import (
	"bytes"

	"example.com/iprof/process/report"
)

// ColorsOf returns the colours of a dump's zones, by id.
var ColorsOf = colorsOf

// dataOf returns the data of a dump's page.
func dataOf(d *report.Dump, o Options) []byte {
	var b bytes.Buffer
	_ = encode(&b, d, &o) // a Buffer has no errors
	return b.Bytes()
}
