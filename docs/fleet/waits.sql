-- What do goroutines wait for, and who ends the waits?
select reason, place, ended_by, count(*) as waits, sum(time_ms) as time_ms
from states where state = 'waiting' group by reason, place, ended_by order by time_ms desc, reason, place limit 10;
