package tables

// maker makes the columns of a table whose rows are in a slice.
type maker[R any] struct{ rows func(s *Set) []R }

func (m maker[R]) len(s *Set) int { return len(m.rows(s)) }

func (m maker[R]) text(name, words string, get func(s *Set, r *R) string) Column {
	return Column{Name: name, Words: words, Kind: Text,
		value: func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
}

func (m maker[R]) real(name, words string, get func(s *Set, r *R) float64) Column {
	return Column{Name: name, Words: words, Kind: Real,
		value: func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
}

func (m maker[R]) integer(name, words string, get func(s *Set, r *R) int64) Column {
	return Column{Name: name, Words: words, Kind: Integer,
		value: func(s *Set, row int) any { return get(s, &m.rows(s)[row]) }}
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
	c.Null = true
	c.value = func(s *Set, row int) any {
		if !known(s, &m.rows(s)[row]) {
			return nil
		}
		return value(s, row)
	}
	return c
}

// table completes a table: its first column is the capture, its last ones, which * leaves out, are those of folders.
func (m maker[R]) table(t Table, capture func(s *Set, r *R) int32) *Table {
	t.rows = m.len
	t.capture = func(s *Set, row int) int32 { return capture(s, &m.rows(s)[row]) }
	file := m.text("file", "the capture", func(s *Set, r *R) string { return s.captures[capture(s, r)].file })
	t.Columns = append([]Column{file}, t.Columns...)
	for i, key := range Folders {
		value := func(s *Set, r *R) string { return s.captures[capture(s, r)].folders[i] }
		c := m.known(m.text(key, "of a folder "+key+"=… in its path", value),
			func(s *Set, r *R) bool { return value(s, r) != "" })
		c.Hidden = true
		t.Columns = append(t.Columns, c)
	}
	return &t
}

// byFrame completes a table with rows by frame.
func (m maker[R]) byFrame(t Table, frame func(r *R) int32) *Table {
	t.frame = func(s *Set, row int) int64 { return int64(s.frames[frame(&m.rows(s)[row])].Index) }
	number := m.integer("frame", "number of the frame",
		func(s *Set, r *R) int64 { return int64(s.frames[frame(r)].Index) })
	t.Columns = append([]Column{number}, t.Columns...)
	return m.table(t, func(s *Set, r *R) int32 { return s.frames[frame(r)].capture })
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
