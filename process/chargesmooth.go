package process

// smoothedCharges are the moving averages of the paths that ever had charges.
type smoothedCharges struct {
	at   map[int32]int32 // path -> place in list
	list []smoothedCharge
}

type smoothedCharge struct {
	path int32
	mean [averages]Charges
}

// meet makes room for paths that have charges for the first time.
func (l *smoothedCharges) meet(values []value, frame charged) {
	if len(frame) < 2 {
		return
	}
	for i := range values {
		if _, known := l.at[int32(i)]; known || values[i].extra == 0 {
			continue
		}
		if l.at == nil {
			l.at = make(map[int32]int32)
		}
		l.at[int32(i)] = int32(len(l.list))
		l.list = append(l.list, smoothedCharge{path: int32(i)})
	}
}

// charge adds the charges of a frame. It uses the weights of add, so it must come after it.
func (m *smoother) charge(seconds float64, t *tree, values []value, frame charged) {
	l := &m.extra
	l.meet(values, frame)
	if len(l.list) == 0 {
		return
	}
	keep := newWeights(seconds)
	none := Charges{}
	for i := range l.list {
		c := &l.list[i]
		goal := frame.at(values[c.path].extra)
		if goal == nil {
			goal = &none
		}
		for k, weight := range m.zones[t.paths[c.path].zone].weight {
			if weight > 0 {
				c.mean[k].Ease((1-keep[k])/weight, goal)
			}
		}
	}
}

// Averages of charges below tiny are 0: they would shrink without end.
const tiny = 0.005

// fill replaces the charges of a frame by their averages.
func (l *smoothedCharges) fill(values []value, to *charged, average Average) {
	if len(l.list) == 0 {
		return
	}
	to.reset()
	for i := range values {
		values[i].extra = 0
	}
	for i := range l.list {
		c := &l.list[i]
		mean := c.mean[average]
		large := false
		for _, v := range mean.Numbers() {
			if large = large || *v >= tiny; *v < tiny {
				*v = 0
			}
		}
		if large && int(c.path) < len(values) {
			to.add(&values[c.path].extra, &mean)
		}
	}
}
