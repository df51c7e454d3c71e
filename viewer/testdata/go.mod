// The pictures of tests are a module of their own, so that programs which use the profiler do not load them.
module example.com/iprof/viewer/testdata

go 1.25
