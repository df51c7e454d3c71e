# Compares two versions on the machines of a fleet.
go mod init fleet
(cd ../iprof && go run ./examples/fleet -servers 20 "$OLDPWD/fleet") >/dev/null
iprof diff fleet/v1 fleet/v2 >changes || [ $? = 1 ]
cat changes
has changes physics
docs='go run ./examples/fleet -servers 1000 fleet; iprof diff fleet/v1 fleet/v2'
has ../iprof/docs/examples.md "$docs" # as above, with fewer servers
