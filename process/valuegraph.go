package process

// AppendValueGraph appends the numbers of frames as series, for graphs of zones: gl.DrawGraphGL, draw.AppendGraph. A graph's
// unit is the millisecond, which counts and levels have none of: each is scaled so that its greatest distance from 0 is as
// high as so many ms, 16.7 for the height of a frame's budget. Its Zone is -1. The memory of the Series already in dst's
// capacity is used again:
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
