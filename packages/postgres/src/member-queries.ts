import { nowMs, partitionCount } from '@hilo/stores/sql-kit';

/** How long a call is kept whose answer was not fetched. */
const callsKeptMs = 3_600_000;

/** SQL over the tables `members`, `partitions` and `calls`; each is atomic. */
export interface MemberQueries {
  /** Parameters: lease time and address. Joins. */
  readonly join: string;
  /** Parameters: member, lease time and address. Renews the lease, and declares expired members dead. */
  readonly renew: string;
  /** Parameter: member. Leaves, and releases everything. */
  readonly leave: string;
  /** @returns whether any process takes part */
  readonly isServed: string;
  /** Parameter: member. Takes partitions without a live owner, up to its share. @returns the numbers of members and partitions */
  readonly share: string;
  /** Parameters: member and partitions. Releases them. */
  readonly release: string;
  /** Parameters: member and instant. Items accepted before it for its lanes. */
  readonly overdue: string;
  /** Parameter: lanes as JSON. Notifies their owners of accepted items. */
  readonly notifyQueued: string;
  /** Notifies all members that there are partitions to share. */
  readonly notifyShares: string;
  /** Parameters: partition, lane and call. Posts the call. @returns its number */
  readonly post: string;
  /** Parameter: member. Calls that were posted for its lanes. */
  readonly open: string;
  /** Parameters: member, partition, call and answer. Answers it, if the partition is still this member's. */
  readonly answer: string;
  /** Parameters: partitions and calls. Those that are answered. */
  readonly answered: string;
  /** Parameters: partition and call. Removes it, and expired ones. */
  readonly forget: string;
}

/** @param schema - also the name of the channel for notifications between processes */
export function memberQueries(schema: string): MemberQueries {
  const [members, partitions, calls] = [`"${schema}".members`, `"${schema}".partitions`, `"${schema}".calls`];
  const notify = (payload: string): string => `pg_notify('${schema}', ${payload})`;
  return {
    join: `insert into ${members} (alive_until_ms, address) values (${nowMs} + $1, $2) returning id, ${nowMs} as now_ms`,

    // A member in the middle of a commit is not removed: the commit comes first, or is refused. A member whose own lease has expired, as
    // after an outage of the server, removes nobody: the others get time to renew theirs.
    renew: `with me as (update ${members} set alive_until_ms = ${nowMs} + $2, address = $3 where id = $1 returning id),
      overdue as (select id from ${members} where alive_until_ms < ${nowMs} and id <> $1
        and exists (select from ${members} as punctual where punctual.id = $1 and punctual.alive_until_ms >= ${nowMs})
        for update skip locked),
      dead as (delete from ${members} where id in (select id from overdue) returning id)
      select (select count(*) from me) as alive, (select count(*) from dead) as removed, ${nowMs} as now_ms`,

    isServed: `select exists (select from ${members} where alive_until_ms >= ${nowMs}) as served`,

    leave: `with me as (delete from ${members} where id = $1 returning id)
      update ${partitions} set owner = 0 where owner in (select id from me)`,

    // Departed members are settled first: the new owner of a partition may be too recent to be known as alive here.
    share: `with me as (select id from ${members} where id = $1 for key share),
      living as (select count(*) as number from ${members}),
      own as (select part, epoch from ${partitions} where owner = $1),
      gone as (select distinct p.owner from ${partitions} as p where not exists (select from ${members} as m where m.id = p.owner)),
      free as (select p.part from ${partitions} as p where p.owner = any (array(select owner from gone))
        order by p.part
        limit (select greatest(0, ceil(${partitionCount}.0 / greatest(number, 1)) - (select count(*) from own)) from living)
        for update skip locked),
      taken as (update ${partitions} as p set owner = me.id, epoch = p.epoch + 1 from free, me where p.part = free.part
        returning p.part, p.epoch)
      select (select number from living) as living,
        (select coalesce(json_agg(json_build_array(part, epoch)), '[]')
          from (select part, epoch from own union all select part, epoch from taken) as ours) as ours,
        (select coalesce(json_agg(json_build_array(p.part, m.address)), '[]') from ${partitions} as p
          join ${members} as m on m.id = p.owner where p.owner <> $1 and m.address is not null) as others`,

    // In the order in which commits lock them.
    release: `with locked as materialized (select part from ${partitions} where owner = $1 and part = any($2) order by part for update)
      update ${partitions} set owner = 0 where part in (select part from locked)`,

    overdue: `select q.seq, q.lane from "${schema}".queue as q join ${partitions} as p on p.part = q.part
      where p.owner = $1 and q.accepted_at_ms < ${nowMs} - $2 order by q.seq limit 1000`,

    notifyQueued: `select count(${notify(`'queued ' || lane`)}) from (select distinct value as lane from json_array_elements_text($1)) as queued`,
    notifyShares: `select ${notify(`'shares'`)}`,

    post: `insert into ${calls} (part, lane, call, made_at_ms) values ($1, $2, $3, ${nowMs}) returning id`,
    open: `select c.id, c.lane, c.call from ${calls} as c join ${partitions} as p on p.part = c.part
      where p.owner = $1 and c.answer is null order by c.id limit 256`,
    // A process that has lost the lane may answer by outdated knowledge.
    answer: `update ${calls} as c set answer = $4 where c.part = $2 and c.id = $3 and c.answer is null
      and exists (select from ${partitions} as p join ${members} as m on m.id = p.owner where p.part = c.part and p.owner = $1)`,
    answered: `select id, answer from ${calls} where part = any($1) and id = any($2) and answer is not null`,
    forget: `delete from ${calls} where part = $1 and id = $2 or made_at_ms < ${nowMs} - ${callsKeptMs}`,
  };
}

/** The result of `share`. */
export interface Shares {
  readonly living: number;
  /** This process's partitions, with the epoch of each. */
  readonly ours: readonly (readonly [part: number, epoch: number])[];
  /** Partitions of processes with an address. */
  readonly others: readonly (readonly [part: number, address: string])[];
}
