package tables

// maker makes the columns of a table whose rows are in a slice.
type maker[R any] struct{ rows func(s *Set) []R }

func (m maker[R]) len(s *Set) int { return len(m.rows(s)) }

func (m maker[R]) text(name, words string, get func(s *Set, r *R) string) Column {
	return Column{name, words, Text, func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
}

func (m maker[R]) real(name, words string, get func(s *Set, r *R) float64) Column {
	return Column{name, words, Real, func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
}

func (m maker[R]) integer(name, words string, get func(s *Set, r *R) int64) Column {
	return Column{name, words, Integer, func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
}

// flag is 1 or 0.
func (m maker[R]) flag(name, words string, get func(s *Set, r *R) bool) Column {
	return m.integer(name, words, func(s *Set, r *R) int64 {
		if get(s, r) {
			return 1
		}
		return 0
	})
}

// known makes a column null where the value is not known.
func (m maker[R]) known(c Column, known func(s *Set, r *R) bool) Column {
	value := c.value
	c.value = func(s *Set, row int) any {
		if !known(s, &m.rows(s)[row]) {
			return nil
		}
		return value(s, row)
	}
	return c
}

// ofFile is the first column of each table.
func (m maker[R]) ofFile(capture func(s *Set, r *R) int32) Column {
	return m.text("file", "the capture", func(s *Set, r *R) string { return s.captures[capture(s, r)].file })
}

// ofFrame are the first columns of a table with rows by frame.
func (m maker[R]) ofFrame(frame func(r *R) int32) []Column {
	return []Column{
		m.ofFile(func(s *Set, r *R) int32 { return s.frames[frame(r)].capture }),
		m.integer("frame", "number of the frame", func(s *Set, r *R) int64 { return int64(s.frames[frame(r)].Index) }),
	}
}

// index is the function of a table's frame numbers.
func (m maker[R]) index(frame func(r *R) int32) func(s *Set, row int) int64 {
	return func(s *Set, row int) int64 { return int64(s.frames[frame(&m.rows(s)[row])].Index) }
}

// ofLane are the columns of a lane, null for -1.
func (m maker[R]) ofLane(lane func(r *R) int32) []Column {
	known := func(s *Set, r *R) bool { return lane(r) >= 0 }
	return []Column{
		m.known(m.integer("lane_id", "number of the lane", func(s *Set, r *R) int64 {
			return int64(s.lanes[lane(r)].id)
		}), known),
		m.known(m.text("lane", "its name", func(s *Set, r *R) string { return s.lanes[lane(r)].name }), known),
	}
}

// ofZone are the columns of a zone.
func (m maker[R]) ofZone(zone func(s *Set, r *R) int32) []Column {
	return []Column{
		m.integer("zone_id", "number of the zone", func(s *Set, r *R) int64 { return int64(s.zones[zone(s, r)].id) }),
		m.text("zone", "its name", func(s *Set, r *R) string { return s.zones[zone(s, r)].info.Name }),
	}
}

// ofCode are the columns of the place of a zone.
func (m maker[R]) ofCode(zone func(s *Set, r *R) int32) []Column {
	return []Column{
		m.text("function", "that enters it", func(s *Set, r *R) string { return s.zones[zone(s, r)].info.Function }),
		m.text("source", "file of its source", func(s *Set, r *R) string { return s.zones[zone(s, r)].info.File }),
		m.integer("line", "line there", func(s *Set, r *R) int64 { return int64(s.zones[zone(s, r)].info.Line) }),
	}
}
