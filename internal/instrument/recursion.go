package instrument

// Mutually recursive functions may take all the time, like a function that calls itself: each counts as a loop. There
// is no type check, so findRecursion compares the names of plain functions; for methods see Function.recurses.

// findRecursion marks the indirectly recursive plain functions of each package.
func (p *Plan) findRecursion() {
	packages := map[string]map[string]*Function{}
	for _, s := range p.sources {
		if packages[s.pkg] == nil {
			packages[s.pkg] = map[string]*Function{}
		}
		for _, f := range s.list {
			if f.method == "" && !f.closure {
				packages[s.pkg][f.Name] = f
			}
		}
	}
	for _, functions := range packages {
		c := cycles{functions: functions, order: map[*Function]int{}}
		for _, name := range sortedKeys(functions) {
			if f := functions[name]; c.order[f] == 0 {
				c.visit(f)
			}
		}
	}
}

// cycles finds the cycles of calls of a package by Tarjan's algorithm.
type cycles struct {
	functions map[string]*Function
	order     map[*Function]int // in which they were visited, from 1
	open      []*Function       // functions with a still unknown cycle
}

// visit visits a function and its callees. It returns the least order reachable.
func (c *cycles) visit(f *Function) (least int) {
	own := len(c.order) + 1
	c.order[f], least = own, own
	first := len(c.open)
	c.open = append(c.open, f)
	for _, name := range sortedKeys(f.shape.called) {
		to := c.functions[name]
		switch {
		case to == nil:
		case c.order[to] == 0:
			least = min(least, c.visit(to))
		case c.isOpen(to):
			least = min(least, c.order[to])
		}
	}
	if least == own {
		for _, of := range c.open[first:] {
			of.inCycle = len(c.open)-first > 1
		}
		c.open = c.open[:first]
	}
	return least
}

func (c *cycles) isOpen(f *Function) bool {
	for i := len(c.open) - 1; i >= 0; i-- {
		if c.open[i] == f {
			return true
		}
	}
	return false
}
