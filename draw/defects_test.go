package draw_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// Line spacings below 1, as in a projection of one unit, divided by zero. The header's lines were not counted in the
// height, so the last records were drawn below it.
func TestDefectA10_15_AnyLineSpacingFitsTheHeight(t *testing.T) {
	const lines = 12
	r := &report.Report{Title: "title", Columns: []report.Column{report.ColumnSelf}, Cursor: -1}
	for i := range 40 {
		r.Records = append(r.Records, report.Record{Name: fmt.Sprint("zone ", i)})
	}
	var quads int
	for _, spacing := range []float32{1, 0.5, 0.04, -0.04, -0.5, -1} {
		t.Run(fmt.Sprint(spacing), func(t *testing.T) {
			size := float32(math.Abs(float64(spacing)))
			var l draw.List
			draw.AppendReport(&l, r, 3, 5, 60*size, lines*size,
				draw.ReportOptions{LineSpacing: spacing, Scale: 20 / size})
			low, high := float32(math.Inf(1)), float32(math.Inf(-1))
			for _, v := range l.V {
				low, high = min(low, v.Y), max(high, v.Y)
			}
			if spacing < 0 { // y grows up, so the report hangs below its corner
				low, high = 10-high, 10-low
			}
			if slack := size / 100; low < 5-slack || high > 5+lines*size+slack || high < 5+(lines-1.5)*size {
				t.Errorf("got y from %v to %v; want the lines to fill 5 to %v", low, high, 5+lines*size)
			}
			if quads == 0 {
				quads = l.Quads()
			}
			if l.Quads() != quads || quads < lines {
				t.Errorf("got %d quads; want the %d of every spacing", l.Quads(), quads)
			}
		})
	}
}
