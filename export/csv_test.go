package export_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// No spreadsheet runs a name: not after spaces, and not with full-width signs.
func TestCellsAreNoFormulas(t *testing.T) {
	for _, name := range []string{"=cmd()", "  =cmd()", "+1", "-1", "@sum", "'quoted", "＝cmd()", " ＋1", "－1", "＠sum",
		"plain", " plain", "a=b", "日本"} {
		f := frame()
		f.Zones[1] = gather.ZoneInfo{Name: name, Function: name, File: name}
		f.Label = name
		var b bytes.Buffer
		x := export.NewCSV(&b)
		write(t, x, f)
		must.Do(t, x.Close())
		rows := must.Get(csv.NewReader(&b).ReadAll())(t)
		for _, cell := range []string{rows[1][1], rows[1][4], rows[1][5], rows[1][6]} {
			if strings.IndexAny(strings.TrimLeft(cell, " "), "=+-@＝＋－＠") == 0 {
				t.Errorf("%q: got the cell %q; want no formula", name, cell)
			}
			if strings.TrimPrefix(cell, "'") != name {
				t.Errorf("%q: got the cell %q; want the name behind an apostrophe, or the name", name, cell)
			}
		}
	}
}
