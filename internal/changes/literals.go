package changes

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// literal is what the names of a function literal have in common in all versions of Go. Go 1.27 names one
// "game.(*World).step.func1.func1" that was "game.(*World).step.(*World).step.func1.func8" before, and one that was
// inlined by the package in which it is.
type literal struct {
	zone   string // the zone's name; "" if that is the function's
	around string // the function around it, without package and type
	folder string // of its file: the package
}

// literalOf returns the literal of a zone. ok is false if the zone is in no literal.
func literalOf(at Place, zone gather.ZoneInfo) (l literal, ok bool) {
	function, folders := zone.Function, strings.Split(strings.ReplaceAll(zone.File, `\`, "/"), "/")
	l = literal{at.Name, report.FunctionName(function), folders[max(len(folders)-2, 0)]}
	if function == "" || at.Name == function {
		function = at.Name
		l.zone, l.around = "", report.FunctionName(function)
	}
	plain := strings.ReplaceAll(function, "[...]", "")
	last := strings.TrimSuffix(plain[strings.LastIndexByte(plain, '.')+1:], "-fm")
	return l, !at.Public && l.around != "" && last != l.around
}

// Renamed returns the zones in function literals that have another name in the runs after, with their places in the
// runs before. A zone that both have keeps its place.
func Renamed(before, after map[Place]gather.ZoneInfo) map[Place]Place {
	r := renaming{before, after, map[Place]Place{}, map[Place]bool{}}
	r.pair(func(l literal) literal { return l })
	r.pair(func(l literal) literal { return literal{zone: l.zone, around: l.around} }) // the folder has another name
	return r.renamed
}

// renaming pairs the zones of the runs before and after.
type renaming struct {
	before, after map[Place]gather.ZoneInfo
	renamed       map[Place]Place // by place after
	used          map[Place]bool  // places before that have one after
}

// pair pairs the literals that key makes equal. It takes the order in the source if their numbers agree, otherwise the
// lines.
func (r *renaming) pair(key func(literal) literal) {
	was := onlyIn(r.before, key, func(p Place) bool {
		_, both := r.after[p]
		return both || r.used[p]
	})
	is := onlyIn(r.after, key, func(p Place) bool {
		_, both := r.before[p]
		_, paired := r.renamed[p]
		return both || paired
	})
	for l, old := range was {
		now := is[l]
		for i, p := range now {
			k := i
			if len(old) != len(now) {
				k = slices.IndexFunc(old, func(p Place) bool { return !r.used[p] && r.sameLine(p, now[i]) })
			}
			if k >= 0 {
				r.renamed[p], r.used[old[k]] = old[k], true
			}
		}
	}
}

func (r *renaming) sameLine(before, after Place) bool {
	line := r.after[after].Line
	return line > 0 && line == r.before[before].Line
}

// onlyIn returns the zones in literals without the known ones, in the order of the source.
func onlyIn(runs map[Place]gather.ZoneInfo, key func(literal) literal, known func(Place) bool) map[literal][]Place {
	all := map[literal][]Place{}
	for at, zone := range runs {
		if l, ok := literalOf(at, zone); ok && !known(at) {
			all[key(l)] = append(all[key(l)], at)
		}
	}
	for _, list := range all {
		sort.Slice(list, func(i, k int) bool {
			a, b := list[i], list[k]
			return cmp.Or(cmp.Compare(runs[a].Line, runs[b].Line), a.Compare(b)) < 0
		})
	}
	return all
}
