package instrument

// A function computes if its own time holds no wait: its code has no wait without a zone, and whatever it calls has a
// zone of its own or computes. Calls of an unknown function, through an interface, a function value or cgo, may wait.
// Where a type is not known, so may the function.

// body is the code of one function, as far as waits matter.
type body struct {
	of    *Function
	waits bool  // it waits without a zone, or calls what may wait
	calls []any // known functions of measured packages: full names, or function literals
}

// findComputing sets Function.Computes. exports are the files with the types of packages.
func (p *Plan) findComputing(exports map[string]string) {
	bodies := p.readBodies(exports)
	callers := map[any][]any{}
	var open []any // bodies whose callers wait, too
	for key, b := range bodies {
		for _, callee := range b.calls {
			if bodies[callee] == nil {
				b.waits = true // it is not measured, and not known
			}
			callers[callee] = append(callers[callee], key)
		}
		if b.waits {
			open = append(open, key)
		}
	}
	for len(open) > 0 {
		key := open[len(open)-1]
		open = open[:len(open)-1]
		if bodies[key].of.hasZone() {
			continue // its waits are its own
		}
		for _, caller := range callers[key] {
			if b := bodies[caller]; !b.waits {
				b.waits = true
				open = append(open, caller)
			}
		}
	}
	for _, b := range bodies {
		b.of.Computes = !b.waits && !b.of.idle
	}
}

// hasZone reports whether all time in the function is that of its own zone.
func (f *Function) hasZone() bool { return f.Reason == "" }

// readBodies reads the functions of all measured packages, by full name or function literal.
func (p *Plan) readBodies(exports map[string]string) map[any]*body {
	packages := map[string][]*source{} // import path and name of package
	for _, s := range p.sources {
		if !p.painters[s.pkg] {
			packages[s.pkg+" "+s.file.Name.Name] = append(packages[s.pkg+" "+s.file.Name.Name], s)
		}
	}
	names := sortedKeys(packages)
	found := make([]map[any]*body, len(names))
	load := newImporter(p.sources, exports)
	parallel(len(names), func(i int) { found[i] = load.bodies(packages[names[i]]) })
	all := map[any]*body{}
	for _, bodies := range found {
		for key, b := range bodies {
			all[key] = b
		}
	}
	return all
}

// span returns the offsets of a wait.
func (w *wait) span() (begin, end int) {
	if w.parts != nil && w.end == 0 {
		return w.parts[0].at, w.parts[len(w.parts)-1].at
	}
	return w.begin, w.end
}
