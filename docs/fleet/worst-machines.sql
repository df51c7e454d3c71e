-- Which machines have the most late frames?
select file, machine, frames.version, avg(late) as late_share, max(judged_ms) as worst_ms
from frames join captures using (file)
group by file, machine, frames.version order by late_share desc, worst_ms desc limit 10;
