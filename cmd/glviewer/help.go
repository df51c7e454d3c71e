package main

const usage = `glviewer draws, in a window, where the time of every frame of a program goes.

usage: glviewer                 asks in its window: open a file, connect to a program, run one of yours, see the sample
       glviewer [flags]         the sample, if one of the flags is about it
       glviewer [flags] FILE…   captures: every frame that a program recorded; each is a tab. Traces and profiles of
                                Chrome, Go, Perfetto, node and pprof, too: docs/export.md
       glviewer [flags] -connect HOST:PORT    a remote program, live: it calls debug.ListenAndServe. May be
                                              given several times, and besides files: each is a tab

What to profile:
  -workload NAME    the sample program:
                      game         a small game: physics, AI and picture share a ray caster
                      sphereflake  a ray tracer; much recursion
                      goroutines   a pipeline over many goroutines
                      replay       recorded frames with spikes at known places
  -connect ADDR     no sample: the program that serves its profile at host:port (package debug)
  -token T          what the program of -connect asks for; without it, the variable IPROF_TOKEN. Where -connect names
                    none, it is for the first that is added in the window. For several: "T@http://ADDR T@http://ADDR"
  -source DIR       show and open the sources of captures and of remote programs that lie below this folder;
                    may be given several times. Without it none is: their frames may name any file
  -limits LIST      what a file or the program may cost, as memory=1GB,frames=5000000: the error names the limit
  -seed N           equal seeds do equal work (default 1)
  -hitch N          every Nth frame has a hitch of 100 ms
  -frames N         stop after N frames; 0 = when the window is closed (default)

The window:
  -size WxH         in pixels (default: as the window before, at first 1280x720)
  -scale S          size of text and lines, 0.5 to 4; 0 = what the monitor asks for (default)
  -font FILE        a font for names in scripts that the viewer's own typefaces lack, before those of the machine;
                    may be given several times. The variable IPROF_FONT names some, too, separated as in PATH
  -hidden           show no window, for -screenshot and -report; needs -frames. Without a display the processor draws
  -timeline         show each frame in the order of time, and record the events for that; W and E do so in the window

What to leave behind:
  -screenshot FILE  write the last frame's picture as PNG, and print the file's name
  -record FILE      write every frame to a capture, which must not be there yet
  -blackbox DIR     write the frames around each hitch to a capture in this folder, and print its name
  -report FILE      write the last report as text; - is standard output
  -out DIR          where Ctrl+S (PNG), Ctrl+E (HTML) and Shift+Ctrl+S (a capture of all frames since the window
                    opened) in the window save (default: the working directory)

Other:
  -events           print a line for every change of state, for tests
  -h                print this
  -version          print which build this is

Files dropped on the window open as tabs. Ctrl+O asks for one and lists the recent ones. Ctrl+Tab shows the next tab,
Ctrl+W closes one, Ctrl+D compares the tab left of this one with it, or what is shown with its baseline (B).

A window that is closed leaves its place and size, scale, theme, columns and tabs to the next one, in the file
iprof/settings.json of the folder for settings: docs/use.md.

In the window ? says what its signs mean, then lists all keys. The first to know: Space pauses, Left and Right choose
the frame, Up and Down the row, Enter opens a zone, Backspace its largest parent, F1 shows the sample itself, Ctrl+Q
closes it.

Examples:
  glviewer -workload game                             the game; press Space at a hitch
  glviewer -workload sphereflake -size 1920x1080      the ray tracer, large
  glviewer game.iprof                                 what a tester sent
  glviewer -connect localhost:6061                    a program that runs, as if its window were here
  glviewer -frames 300 -hidden -screenshot frame.png -report -
                                                      no screen: a picture and a report
`
