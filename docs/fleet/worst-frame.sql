-- What did the worst frame of all machines do?
with worst as (select file, frame from frames order by judged_ms desc limit 1)
select file, frame, lane, zone, sum(count) as calls, sum(self_ms) as self_ms
from calls join worst using (file, frame)
where idle = 0 group by file, frame, lane, zone order by self_ms desc limit 10;
