package process

// AppendValueGraph appends the numbers of frames as Series, for the graphs of zones: gl.DrawGraphGL, draw.AppendGraph.
// These graphs are in ms, a unit that counts and levels do not have. So each number is scaled: its greatest distance
// from 0 becomes high ms, for example 16.7 for the height of a frame budget. Series.Zone is -1. It reuses the memory of
// the Series in dst's capacity.
//
//	series = session.AppendSeries(series[:0], 300)
//	values = session.AppendValueSeries(values[:0], 300)
//	series = process.AppendValueGraph(series, values, 16.7)
//	gl.DrawGraphGL(series, -1, x, y, 2, 4, nil)
func AppendValueGraph(dst []Series, values []ValueSeries, high float32) []Series {
	for i := range values {
		var graph []float32
		if n := len(dst); n < cap(dst) {
			graph = dst[:n+1][n].Values[:0]
		}
		scale := float32(0)
		if most := farthest(values[i].Values); most > 0 {
			scale = high / most
		}
		for _, v := range values[i].Values {
			graph = append(graph, v*scale)
		}
		dst = append(dst, Series{Zone: -1, Name: values[i].Name, Values: graph})
	}
	return dst
}

// farthest is the greatest distance of a value from 0.
func farthest(values []float32) (most float32) {
	for _, v := range values {
		if v == v {
			most = max(most, v, -v)
		}
	}
	return most
}
