package html

import (
	"math"
	"strconv"

	"example.com/iprof/process/report"
)

// appendCharges appends the nodes' charges besides time as ,"m":[[index, numbers…],…]. It appends nothing without
// charges.
func appendCharges(b []byte, nodes []report.TreeNode) []byte {
	first := true
	for i := range nodes {
		if nodes[i].Charges == (report.Charges{}) {
			continue
		}
		if b = append(b, ','); first {
			b = append(b, `"m":[`...)
		}
		first = false
		b = strconv.AppendInt(append(b, '['), int64(i), 10)
		b = append(appendNumbers(append(b, ','), &nodes[i].Charges), ']')
	}
	if first {
		return b
	}
	return append(b, ']')
}

// appendNumbers appends allocs, their bytes, frees, their bytes, units, heap objects, their bytes.
func appendNumbers(b []byte, c *report.Charges) []byte {
	for i, v := range [...]float64{c.Allocs, c.AllocBytes, c.Frees, c.FreeBytes, c.Units, c.HeapObjects, c.HeapBytes} {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFloat(b, v)
	}
	return b
}

// appendValues appends [name, kind, unit, total, mean, max, one value a frame] for each number of the frames. A frame
// without the number has null.
func appendValues(b []byte, values []report.ValueSeries) []byte {
	return appendList(b, values, func(b []byte, v *report.ValueSeries) []byte {
		b = appendText(append(b, '['), v.Name)
		b = strconv.AppendInt(append(b, ','), int64(v.Kind), 10)
		b = strconv.AppendInt(append(b, ','), int64(v.Unit), 10)
		for _, x := range [...]float64{v.Total, v.Mean, v.Max} {
			b = appendFloat(append(b, ','), x)
		}
		b = appendList(append(b, ','), v.Values, func(b []byte, x *float32) []byte {
			if v := float64(*x); math.IsNaN(v) || math.IsInf(v, 0) {
				return append(b, "null"...)
			}
			return strconv.AppendFloat(b, float64(*x), 'g', 6, 32)
		})
		return append(b, ']')
	})
}
