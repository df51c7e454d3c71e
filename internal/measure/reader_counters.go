//go:build !iprof_off

package measure

import "example.com/iprof/internal/measure/internal/counters"

// countedValues holds the values of a frame's counters.
type countedValues struct {
	counters.Reading
	infos []CounterInfo // of Names
}

// report writes the frame's values.
func (v *countedValues) report(f *Frame) {
	for _, n := range v.Names()[len(v.infos):] {
		v.infos = append(v.infos, CounterInfo{n.Text, n.Kind == counters.Level})
	}
	f.Counters, f.Values = v.infos, f.Values[:0]
	for id := range f.Counters {
		if value, any := v.Value(id); any {
			f.Values = append(f.Values, CounterValue{int32(id), value})
		}
	}
}
