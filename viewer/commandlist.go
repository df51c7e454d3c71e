package viewer

import (
	"slices"

	"example.com/iprof/process/report"
)

// listCommands returns every command that panels have, in the order of the help. To add one, add it to a list below,
// with its function in the file of its subject.
func listCommands() []Command {
	return slices.Concat(essentialCommands(), frameCommands(), zoneCommands(),
		timelineCommands(), choiceCommands(), measureCommands(), outputCommands(),
		screenCommands(), menuCommands(), lensCommands(), presetCommands(), typedCommands())
}

// essentialCommands returns what moves about, and what the footer shows first.
func essentialCommands() []Command {
	return []Command{
		{Name: "up", Group: GroupRows, Keys: "↑", Action: "move", Words: "row above", Help: "row above, below",
			Repeat: true, Page: true, Do: moveCursor(-1)},
		{Name: "down", Group: GroupRows, Keys: "↓", Action: "move", Words: "row below",
			Repeat: true, Page: true, Do: moveCursor(1)},
		{Name: "select", Group: GroupRows, Keys: "Enter KeypadEnter", Action: "open zone",
			Words:     "open the zone: its call graph",
			Arguments: "[ZONE]", Text: "open the cursor's zone, or the zone of that name, in the call graph",
			Page: true, Do: selectRecord, Typed: (*Typed).choose},
		{Name: "parent", Group: GroupRows, Keys: "Backspace", Action: "parent",
			Words: "go to the zone's largest caller", Help: "go to its largest caller",
			Text: "open the parent with the most time with callees",
			Page: true, Do: selectParent, Typed: bare((*Typed).parent)},
		{Name: "older", Group: GroupFrames, Keys: "←", Action: "frame",
			Words: "frame before", Help: "frame before, after", Repeat: true, Page: true, Do: moveFrame(-1)},
		{Name: "newer", Group: GroupFrames, Keys: "→", Action: "frame", Words: "frame after",
			Repeat: true, Page: true, Do: moveFrame(1)},
		{Name: "pause", Group: GroupFrames, Keys: "Space", Action: "pause", Words: "pause, go on",
			Text: "show the same frame; measuring goes on, new frames are discarded",
			Page: true, Do: togglePause, Typed: bare((*Typed).pause)},
		{Name: "self", Group: GroupReport, Keys: "1", Action: "mode",
			Words: "zones by self time", Help: "report: self … slow frames",
			Page: true, Do: setMode(report.ReportSelfTime)},
		{Name: "hierarchical", Group: GroupReport, Keys: "2", Action: "mode", Words: "zones by time with callees",
			Page: true, Do: setMode(report.ReportHierarchicalTime)},
		{Name: "callgraph", Group: GroupReport, Keys: "3", Action: "mode", Words: "call graph of a zone",
			Page: true, Do: setMode(report.ReportCallGraph)},
		{Name: "descendants", Group: GroupReport, Keys: "4", Action: "mode", Words: "all that a zone calls",
			Page: true, Do: setMode(report.ReportCallGraphDescendants)},
		{Name: "calltree", Group: GroupReport, Keys: "5", Action: "mode", Words: "call tree",
			Page: true, Do: setMode(report.ReportCallTree)},
		{Name: "extra", Group: GroupReport, Keys: "6", Action: "mode", Words: "slow frames: what they take longer",
			Page: true, Do: setMode(report.ReportExtra)},
		{Name: "average", Group: GroupFrames, Keys: "A", Action: "average", Words: "average: 0.8 s, 2.5 s, none",
			Arguments: "[instant|short|long]", Text: "smooth not at all, over 0.8 s, over 2.5 s",
			Page: true, Do: cycleAverage, Typed: (*Typed).average},
		{Name: "precision", Group: GroupDisplay, Keys: "P", Action: "precision", Words: "decimals of milliseconds",
			Page: true, Do: cyclePrecision},
		{Name: "help", Group: GroupDisplay, Keys: "?", Action: "help", Words: "all keys", Help: "this help",
			Arguments: "[WORD]", Text: "list the commands, or explain one", Do: onPanel((*Panel).toggleHelp)},
	}
}

// frameCommands returns what chooses a frame.
func frameCommands() []Command {
	return []Command{
		{Name: "previous-over", Group: GroupFrames, Keys: "[", Action: "frame over budget",
			Words: "frame over budget before", Help: "frame over budget before, after",
			Repeat: true, Page: true, Do: moveOver(-1)},
		{Name: "next-over", Group: GroupFrames, Keys: "]", Action: "frame over budget",
			Words: "frame over budget after", Repeat: true, Page: true, Do: moveOver(1)},
		{Name: "slowest", Group: GroupFrames, Keys: "M", Action: "slowest frame",
			Words: "slowest frame of the history", Help: "slowest frame",
			Arguments: "[RANK]", Text: "list the slowest frames that are kept, or show one",
			Page: true, Do: slowestFrame, Typed: (*Typed).slowest},
		{Name: "why", Group: GroupFrames, Keys: "D", Action: "why is it slow",
			Words: "draw why the frame is slow, or go back", Help: "draw why it is slow; Space: next cause; Esc: back",
			Text: "explain the frame shown, if it is over budget or unusual",
			Page: true, Do: showVerdict, Typed: bare((*Typed).why)},
		{Name: "next-cause", Group: GroupFrames, Action: "next cause of the drawn verdict (Space)", Do: nextCause},
		{Name: "slow-call", Group: GroupFrames, Action: "frame of the slow call that is told of", Do: showSlowCall},
		{Name: "previous-late", Group: GroupFrames, Keys: ",", Action: "late frame of the cause",
			Words: "late frame before: of the selected cause, if one is",
			Help:  "late frame of the selected cause before, after", Repeat: true, Do: walkLate(-1)},
		{Name: "next-late", Group: GroupFrames, Keys: ".", Action: "late frame of the cause",
			Words: "late frame after: of the selected cause, if one is", Repeat: true, Do: walkLate(1)},
		{Name: "older-10", Group: GroupFrames, Keys: "Shift+←", Action: "10 frames",
			Words: "10 frames back", Help: "10 frames back, on", Repeat: true, Page: true, Do: moveFrame(-10)},
		{Name: "newer-10", Group: GroupFrames, Keys: "Shift+→", Action: "10 frames", Words: "10 frames on",
			Repeat: true, Page: true, Do: moveFrame(10)},
		{Name: "history-in", Group: GroupFrames, Keys: "Alt+=", Action: "zoom the history",
			Words: "fewer frames in the history", Help: "zoom the history, as the wheel does", Repeat: true,
			Do: zoomHistoryBy(2)},
		{Name: "history-out", Group: GroupFrames, Keys: "Alt+-", Action: "zoom the history",
			Words: "more frames in the history", Repeat: true, Do: zoomHistoryBy(-2)},
		{Name: "history-whole", Group: GroupFrames, Keys: "Alt+0", Action: "zoom the history",
			Words: "all frames that are kept in the history, or as at first", Do: wholeHistory},
		{Name: "history-older", Group: GroupFrames, Keys: "Shift+PgUp", Action: "move the history",
			Words: "older frames in the history", Help: "older, newer frames in the history", Repeat: true,
			Do: moveHistory(5)},
		{Name: "history-newer", Group: GroupFrames, Keys: "Shift+PgDn", Action: "move the history",
			Words: "newer frames in the history", Repeat: true, Do: moveHistory(-5)},
		{Name: "oldest", Group: GroupFrames, Keys: "Home", Action: "oldest frame", Page: true, Do: oldestFrame},
		{Name: "live", Group: GroupFrames, Keys: "End", Action: "live", Words: "newest frame, live",
			Page: true, Do: goLive},
	}
}

// zoneCommands returns what is about rows and the zone under the cursor.
func zoneCommands() []Command {
	return []Command{
		{Name: "page-up", Group: GroupRows, Keys: "PgUp", Action: "page",
			Words: "a page of rows up", Help: "page of rows up, down",
			Repeat: true, Page: true, Do: moveCursor(-pageRows)},
		{Name: "page-down", Group: GroupRows, Keys: "PgDn", Action: "page", Words: "a page of rows down",
			Repeat: true, Page: true, Do: moveCursor(pageRows)},
		{Name: "sort", Group: GroupRows, Keys: "T", Action: "self or with callees",
			Words:     "sort by self or with callees",
			Arguments: "[COLUMN [up|down]|usual]", Text: "by self time or with callees, or by any column",
			Page: true, Do: toggleSort, Typed: (*Typed).sort},
		{Name: "recursion", Group: GroupRows, Keys: "R", Action: "recursion: one row or spread",
			Words: "recursion: one row, or one for each depth", Help: "recursion: one row or spread",
			Arguments: "[flattened|spread]", Text: "one row for a recursive zone, or one for each depth",
			Page: true, Do: toggleRecursion, Typed: (*Typed).recursion},
		{Name: "find", Group: GroupRows, Keys: "/ Ctrl+F", Action: "find zone", Words: "find zones by name",
			Do: onPanel((*Panel).openFilter)},
		{Name: "card", Group: GroupRows, Keys: "Z", Action: "card of the zone",
			Words: "card of the zone: histogram, callers, source", Help: "card: histogram, callers, source",
			Do: toggleCard},
		{Name: "source", Group: GroupRows, Keys: "Shift+Z", Action: "source of the zone, with times",
			Words: "source of the zone, with times of lines", Do: toggleSource},
		{Name: "call-list", Group: GroupRows, Keys: "Ctrl+N", Action: "list of its single calls",
			Words: "list of the zone's single calls: frame, length, caller", Do: listCursorCalls},
		{Name: "marks", Group: GroupRows, Keys: "Alt+M", Action: "list of marks",
			Words: "list of the program's marks", Arguments: "[WORD]",
			Text: "print the marks of the program, or those with a word", Do: listProgramMarks,
			Typed: (*Typed).marksLine},
		{Name: "messages", Group: GroupDisplay, Keys: "Alt+H", Action: "list of messages",
			Words: "list of the messages that stood above the footer", Arguments: "[WORD]",
			Text: "print the messages of the window, or those with a word", Do: listNotes,
			Typed: (*Typed).messagesLine},
		{Name: "close-list", Group: GroupDisplay, Action: "close the list (Esc)", Do: closeListed},
		{Name: "sample", Group: GroupMeasure, Keys: "Alt+Z", Action: "hot lines",
			Words:     "sample the program for hot lines, or stop",
			Arguments: "[on|off|RATE]", Text: "sample for hot lines; 100 to 1000 a second, on is 100",
			Do: toggleSampling, Typed: (*Typed).sample},
	}
}

// timelineCommands returns what is about the timeline.
func timelineCommands() []Command {
	return []Command{
		{Name: "timeline", Group: GroupTime, Keys: "W", Action: "timeline, or call structure",
			Arguments: "[LINES]", Text: "print the begin and end of the longest scopes of the frame shown",
			Do: toggleTimeline, Typed: (*Typed).timeline},
		{Name: "next-occurrence", Group: GroupTime, Keys: "N", Action: "occurrence",
			Words: "next scope of the zone, in any frame", Help: "scope of the zone before, after",
			Repeat: true, Do: findOccurrence(1)},
		{Name: "previous-occurrence", Group: GroupTime, Keys: "Shift+N", Action: "occurrence",
			Words: "scope of the zone before, in any frame", Repeat: true, Do: findOccurrence(-1)},
		{Name: "ruler", Group: GroupTime, Keys: "Shift+R", Action: "measure",
			Words: "measure a time in the timeline by a drag", Help: "timeline: the next drag measures, as with Shift",
			Do: measure},
		{Name: "fit-history", Group: GroupTime, Keys: "Shift+0", Action: "timeline of all frames",
			Words: "all frames that are kept, in the timeline", Do: fitHistory},
		{Name: "open-groups", Group: GroupTime, Keys: "Alt+L", Action: "groups of goroutines",
			Words: "groups of goroutines opened or folded", Help: "timeline: a band for each go statement, or not",
			Do: toggleGroups},
		{Name: "only-work", Group: GroupTime, Keys: "Alt+W", Action: "only work, or waits, too",
			Words: "calls and rows without what waits, or with it", Help: "call structure without waits, or with them",
			Do: toggleOnlyWork},
		{Name: "timeline-large", Group: GroupTime, Keys: "Shift+W", Action: "timeline in place of the table",
			Do: enlargeTimeline},
		{Name: "events", Group: GroupMeasure, Keys: "E", Action: EventsAction,
			Arguments: "[on|off|NUMBER]", Text: "keep the newest events of each goroutine, for timelines",
			Do: onPanel((*Panel).toggleEvents), Typed: (*Typed).events},
	}
}

// choiceCommands returns what compares, groups, and chooses what counts.
func choiceCommands() []Command {
	return []Command{
		{Name: "baseline", Group: GroupFrames, Keys: "B", Action: "compare with this frame",
			Words: "compare with what is shown",
			Text:  "make the frame or average shown the baseline, and compare with it",
			Do:    onPanel((*Panel).pinBaseline), Typed: bare((*Typed).baseline)},
		{Name: "compare", Group: GroupFrames, Keys: "V", Action: "differences on, off",
			Words: "show or hide the differences", Arguments: "[on|off]", Text: "compare with the baseline, or not",
			Do: onPanel((*Panel).toggleCompare), Typed: (*Typed).compare},
		{Name: "lines", Group: GroupDisplay, Keys: "H", Action: "history as columns or lines",
			Words: "history as columns or as lines", Do: onPanel((*Panel).toggleLines)},
		{Name: "group", Group: GroupRows, Keys: "G", Action: "group by package",
			Arguments: "[package|off]", Text: "put the rows of the flat reports under their packages",
			Do: onPanel((*Panel).toggleGrouped), Typed: (*Typed).group},
		{Name: "fold", Group: GroupRows, Keys: "Shift+G", Action: "fold the package", Do: fold},
		{Name: "frames", Group: GroupFrames, Keys: "F", Action: "frames: all, slow, over budget …",
			Words: "frames to report: all, slow, over budget …", Do: openFramesMenu, at: (*Panel).openFramesMenu},
		{Name: "pin", Group: GroupRows, Keys: "I", Action: "count only below this path",
			Arguments: "[ZONE > ZONE ...|off]", Text: "count only what happened below these zones",
			Do: pinCursor, Typed: (*Typed).pin},
		{Name: "unpin", Group: GroupRows, Keys: "Shift+I", Action: "count all paths", Do: unpin},
		{Name: "own-lane", Group: GroupReport, Keys: "J", Action: "only the goroutine it ran on longest",
			Do: ownLane},
	}
}

// measureCommands returns what changes what is measured, and some of how it is shown.
func measureCommands() []Command {
	return []Command{
		{Name: "budget", Group: GroupFrames, Keys: "U", Action: "next frame budget",
			Words: "frame budget: 30 to 144 fps", Arguments: "[MS|60fps|usual]", Text: "how long a frame may take",
			Do: cycleBudget, Typed: (*Typed).budget},
		{Name: "second", Group: GroupDisplay, Keys: "O", Action: "strip of slowest, memory, values",
			Words: "strip of slowest frames, memory, values", Do: cycleSecond},
		{Name: "memory", Group: GroupMeasure, Keys: "Shift+O", Action: "memory to measure: off … zone",
			Words:     "memory to measure: off, own, frame, zone",
			Arguments: "[off|own|frame|zone]",
			Text:      "print the Go heap's numbers of the frame shown, or choose the memory mode",
			Do:        cycleMemory, Typed: (*Typed).memory},
		{Name: "clear-slowest", Group: GroupDisplay, Keys: "Shift+X", Action: "forget the slowest frames",
			Do: onPanel((*Panel).clearSlowest)},
		{Name: "lock-scale", Group: GroupDisplay, Keys: "S", Action: "hold the scale",
			Words: "hold the scale of the history", Do: onPanel((*Panel).toggleScaleLock)},
		{Name: "theme", Group: GroupDisplay, Keys: "Y", Action: "colours",
			Words: "colours: dark, high contrast, colour-blind, light",
			Help:  "colours: dark, contrast, colour-blind, light",
			Do:    cycleTheme},
		{Name: "columns", Group: GroupRows, Keys: "K", Action: "columns of the table",
			Arguments: "[COLUMN ...|for USE|usual|list]",
			Text:      "choose the columns of reports, or those for time, calls, memory, waiting; list has all",
			Do:        onPanel((*Panel).openColumns), Typed: (*Typed).columns},
		{Name: "pick-lane", Group: GroupReport, Keys: "Ctrl+L", Action: "list of goroutines",
			Do: onPanel((*Panel).openLanes)},
		{Name: "lane", Also: "goroutine", Group: GroupReport, Keys: "L", Action: "goroutine",
			Words: "next goroutine", Help: "next, previous goroutine",
			Arguments: "[ID|NAME|all]", Text: "list the goroutines, show one, or all merged",
			Page: true, Do: cycleLane(1), Typed: (*Typed).lane},
		{Name: "previous-lane", Group: GroupReport, Keys: "Shift+L", Action: "goroutine",
			Words: "previous goroutine", Page: true, Do: cycleLane(-1)},
		{Name: "reset", Group: GroupMeasure, Keys: "X", Action: "forget all measurements",
			Page: true, Do: askReset, Typed: bare((*Typed).reset)},
		{Name: "undo", Group: GroupMeasure, Keys: "Ctrl+X", Action: "bring back what was forgotten",
			Help: "bring back what X forgot",
			Text: "bring back what the last reset forgot, for a minute; once more: what was measured since",
			Page: true, Do: undoReset, Typed: bare((*Typed).undo)},
	}
}

// outputCommands returns what goes back, copies, saves, and opens menus.
func outputCommands() []Command {
	return []Command{
		{Name: "back", Group: GroupReport, Keys: "Alt+← Ctrl+Z", Action: "view before, after",
			Words: "view before this", Help: "view before, after this", Do: goBack},
		{Name: "forth", Group: GroupReport, Keys: "Alt+→", Action: "view before, after", Words: "view after this",
			Do: goForth},
		{Name: "copy", Group: GroupOutput, Keys: "C", Action: "copy the table", Words: "copy the table as text",
			Do: onPanel((*Panel).copyTable)},
		{Name: "copy-row", Group: GroupOutput, Keys: "Shift+C", Action: "copy the row", Do: onPanel((*Panel).copyRow)},
		{Name: "save-picture", Group: GroupOutput, Keys: "Ctrl+S", Action: "save a picture (PNG)", Do: savePicture},
		{Name: "save-report", Group: GroupOutput, Keys: "Ctrl+E", Action: "save a page (HTML)", Do: saveReport},
		{Name: "menu", Group: GroupDisplay, Keys: "Tab", Action: "menu of all commands", Words: "all commands",
			Do: openCommands, at: (*Panel).openCommands},
		{Name: "row-menu", Group: GroupRows, Keys: "Menu Q", Action: "menu of the row",
			Do: openRowMenu, at: (*Panel).openRowMenu},
	}
}

// screenCommands returns what changes the screen itself.
func screenCommands() []Command {
	return []Command{
		{Name: "larger", Group: GroupDisplay, Keys: "Ctrl+=", Action: "larger, smaller, as it was",
			Words: "larger text", Help: "text larger, smaller, as it was", Repeat: true, Do: scaleBy(0.125)},
		{Name: "smaller", Group: GroupDisplay, Keys: "Ctrl+-", Action: "larger, smaller, as it was",
			Words: "smaller text", Repeat: true, Do: scaleBy(-0.125)},
		{Name: "unscaled", Group: GroupDisplay, Keys: "Ctrl+0", Action: "larger, smaller, as it was",
			Words: "text as large as it was", Do: unscaled},
		{Name: "zoom-in", Group: GroupTime, Keys: "=", Action: "zoom calls or timeline",
			Words: "zoom in on calls or timeline", Repeat: true, Do: zoomBy(1)},
		{Name: "zoom-out", Group: GroupTime, Keys: "-", Action: "zoom calls or timeline",
			Words: "zoom out of calls or timeline", Repeat: true, Do: zoomBy(-1)},
		{Name: "fit", Group: GroupTime, Keys: "0", Action: "zoom calls or timeline",
			Words: "fit calls or timeline", Do: fitAll, at: (*Panel).fitAt},
		{Name: "pan-left", Group: GroupTime, Keys: "Ctrl+←", Action: "move calls or timeline",
			Words: "move calls or timeline left", Repeat: true, Do: panBy(100, 0)},
		{Name: "pan-right", Group: GroupTime, Keys: "Ctrl+→", Action: "move calls or timeline",
			Words: "move calls or timeline right", Repeat: true, Do: panBy(-100, 0)},
		{Name: "pan-up", Group: GroupTime, Keys: "Ctrl+↑", Action: "move calls or timeline",
			Words: "move calls or timeline up", Repeat: true, Do: panBy(0, 20)},
		{Name: "pan-down", Group: GroupTime, Keys: "Ctrl+↓", Action: "move calls or timeline",
			Words: "move calls or timeline down", Repeat: true, Do: panBy(0, -20)},
		{Name: "cycle", Group: GroupDisplay, Keys: "F1", Action: "overlay: off, line, half, full",
			Always: true, Do: cyclePanel},
		{Name: "focus", Group: GroupDisplay, Keys: "F2", Action: FocusAction,
			Words: "keys to the overlay or to the program", Always: true, Do: toggleFocus},
		{Name: "leave", Group: GroupDisplay, Keys: "Esc", Action: "keys back to the program", Do: leave},
	}
}

// menuCommands returns what is in menus, and has a key at most.
func menuCommands() []Command {
	return []Command{
		{Name: "descendants-of", Group: GroupRows, Action: "all that it calls",
			Do: openAs(report.ReportCallGraphDescendants)},
		{Name: "filter-name", Group: GroupRows, Action: "only rows of this name", Do: filterToCursor},
		{Name: "callers", Group: GroupRows, Action: "only its callers", Do: callersOnly},
		{Name: "collector", Group: GroupDisplay, Keys: "Shift+J", Action: "bands of the garbage collector",
			Do: toggleCollector},
		{Name: "trace", Group: GroupMeasure, Action: "execution trace on, off",
			Arguments: "[on|off]", Text: "trace why goroutines do not run, and print what that costs the program",
			Do: toggleTrace, Typed: (*Typed).trace},
		{Name: "sample-rate", Group: GroupMeasure, Action: "samples a second: 100, 250, 500, 1000, none",
			Do: cycleSampling},
		{Name: "copy-site", Group: GroupOutput, Action: "copy its place in the source", Do: onPanel((*Panel).copySite)},
		{Name: "open-site", Group: GroupRows, Action: "open its place in the editor", Do: onPanel((*Panel).openSite)},
		{Name: "usual-columns", Group: GroupRows, Action: "the usual columns", Do: usualColumns},
		{Name: "as-reported", Group: GroupRows, Action: "sorted as reported", Do: onPanel((*Panel).sortAsReported)},
		{Name: "hidden", Group: GroupRows, Keys: "Del", Action: "hide the zone",
			Words: "hide the zone: no row, no part of the history", Help: "hide the zone, show all again",
			Arguments: "[ZONE [on|off]]", Text: "hide the rows of a zone, or show them again",
			Do: hideCursor, Typed: (*Typed).hideZone},
		{Name: "show-zones", Group: GroupRows, Keys: "Shift+Del", Action: "hide the zone",
			Words: "show the hidden zones again", Do: showHidden},
		{Name: "guide", Group: GroupDisplay, Action: "guided look", Words: "guided look: the screen in 20 seconds",
			Do: startGuide},
		{Name: "heat", Group: GroupDisplay, Keys: "Shift+H", Action: "colour of changing numbers",
			Words: "numbers that change fast in colour, or not", Do: toggleHeat},
		{Name: "mute", Group: GroupMeasure, Keys: "Shift+M", Action: "mute the zone",
			Words:     "mute the zone, or measure it again",
			Arguments: "[ZONE [on|off]]", Text: "count a zone and time it at random only, or measure it again",
			Do: muteCursor, Typed: (*Typed).mute},
		{Name: "zone-budget", Group: GroupMeasure, Keys: "Shift+U", Action: "its budget: 1, 2, 4, 8 ms, none",
			Words:     "the budget of the cursor's zone: 1, 2, 4, 8 ms, none",
			Arguments: "[ZONE TIME|off]",
			Text:      "the time a zone may take in a frame, as 4 or 4ms: above it, its row is red",
			Do:        cycleZoneBudget, Typed: (*Typed).zoneBudget},
	}
}

// lensCommands returns what chooses the frames that reports are of.
func lensCommands() []Command {
	return []Command{
		{Name: "one-frame", Group: GroupFrames, Action: "one frame, or the moving average", Do: oneFrame},
		{Name: "all-frames", Group: GroupFrames, Action: "average of all frames",
			Do: setLens(report.Lens{Kind: report.LensAll})},
		{Name: "over-frames", Group: GroupFrames, Action: "average of frames over budget",
			Do: setLens(report.Lens{Kind: report.LensOver})},
		{Name: "within-frames", Group: GroupFrames, Action: "average of frames within budget",
			Do: setLens(report.Lens{Kind: report.LensWithin})},
		{Name: "slow-frames", Group: GroupFrames, Action: "average of the 16 slowest frames",
			Do: setLens(report.Lens{Kind: report.LensSlowest})},
	}
}

// typedCommands returns what is typed; some of it is in menus, too.
func typedCommands() []Command {
	return []Command{
		{Name: "resume", Group: GroupFrames, Action: "show the newest frame again", Typed: bare((*Typed).resume)},
		{Name: "toggle", Group: GroupFrames, Action: "pause or resume", Typed: bare((*Typed).toggle)},
		{Name: "mode", Group: GroupReport, Action: "self, callees, callgraph, descendants, calltree, slow, or 1 to 6",
			Arguments: "[MODE]", Typed: (*Typed).mode},
		{Name: "show", Group: GroupDisplay, Action: "show the overlay in the program's window",
			Arguments: "[hud|report|full]", Typed: (*Typed).show},
		{Name: "hide", Group: GroupDisplay, Action: "hide the overlay", Typed: bare((*Typed).hide)},
		{Name: "hud", Group: GroupDisplay, Action: "show the overlay as one line", Typed: bare((*Typed).hud)},
		{Name: "cursor", Group: GroupRows, Action: "move the cursor to a record, 0 is the first, or down or up",
			Arguments: "[ROW|+ROWS|-ROWS]", Typed: (*Typed).cursor},
		{Name: "frame", Group: GroupFrames, Action: "show an old frame: by age, N older, N newer",
			Arguments: "[AGE|-N|+N|live|oldest|slowest]", Typed: (*Typed).frame},
		{Name: "lens", Group: GroupFrames,
			Action:    "the frames of reports: off, all, over or within budget, slowest N, range A B",
			Arguments: "[LENS]", Typed: (*Typed).lens},
		{Name: "filter", Group: GroupRows,
			Action:    "show only rows whose name contains this, and the rows above them in the tree",
			Arguments: "[NAME|off]", Typed: (*Typed).filter},
		{Name: "waiting", Group: GroupRows,
			Action:    "list zones that wait one by one; otherwise one row says how many there are",
			Arguments: "[on|off]", Typed: (*Typed).waiting},
		{Name: "calls", Group: GroupMeasure,
			Action:    "count the calls of a zone by their length, print the counts, or its calls over a time",
			Arguments: "ZONE [on|off|>TIME]", Typed: (*Typed).calls},
		{Name: "limit", Group: GroupMeasure, Keys: "Shift+P", Action: "next overhead limit",
			Words:     "next overhead limit: off, 5 %, 2 %, 1 %",
			Arguments: "[PERCENT|off]", Text: "the overhead limit, as 2% or 0.02: above it, small zones are estimated",
			Do: cycleOverheadLimit, Typed: (*Typed).limit},
		{Name: "recording", Group: GroupMeasure, Keys: "Ctrl+R", Action: "measuring on, off",
			Arguments: "[on|off]", Text: "switch measuring on or off", Do: toggleRecording, Typed: (*Typed).recording},
		{Name: "idle-outside", Group: GroupMeasure, Action: "time outside zones: idle or busy",
			Arguments: "[on|off]", Text: "time outside zones is idle: for programs that wait for events",
			Do: toggleIdleOutside, Typed: (*Typed).eventDriven},
		{Name: "history", Group: GroupMeasure, Keys: "Shift+D", Action: "depth of the history",
			Words:     "next depth of the history: 300 to 10,000 frames",
			Arguments: "[FRAMES]", Text: "the number of frames in the history",
			Do: cycleHistory, Typed: (*Typed).history},
	}
}
