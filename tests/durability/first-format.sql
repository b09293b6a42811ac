pragma application_id = 1214868591;
CREATE TABLE meta (name text not null primary key, value text not null) strict, without rowid;
CREATE TABLE executions (
    id integer primary key,
    company_id text not null,
    execution_id text not null,
    workflow_id text not null,
    version integer,
    revision integer not null,
    lane text not null,
    parent_execution_id text,
    parent_wait_id text,
    created_at_ms integer not null,
    updated_at_ms integer not null,
    status text not null,
    bot_key text,
    user_key text,
    wait_id text,
    due_at_ms integer,
    reply_since_ms integer,
    reply_order integer not null,
    signal_name text,
    signal_value text,
    unsettled integer,
    ended_at_ms integer,
    begun text,
    state text not null
  );
CREATE UNIQUE INDEX executions_by_name on executions (company_id, execution_id);
CREATE INDEX executions_by_age on executions (company_id, id);
CREATE INDEX executions_by_workflow on executions (company_id, workflow_id, id);
CREATE INDEX executions_by_status on executions (company_id, status, id);
CREATE INDEX executions_by_user on executions (company_id, user_key, id);
CREATE INDEX executions_due on executions (due_at_ms, id) where due_at_ms is not null;
CREATE INDEX executions_replying on executions (company_id, bot_key, user_key, reply_since_ms, reply_order)
    where reply_since_ms is not null;
CREATE INDEX executions_listening on executions (company_id, signal_name, signal_value, id) where signal_name is not null;
CREATE INDEX executions_unsettled on executions (lane, id) where unsettled is not null;
CREATE INDEX executions_ended on executions (status, ended_at_ms) where ended_at_ms is not null;
CREATE TABLE histories (id integer primary key, execution integer not null, body text not null);
CREATE INDEX histories_by_execution on histories (execution, id);
CREATE TABLE contacts (
    id integer primary key,
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    user_id text not null,
    names text,
    phone text,
    phone_key text,
    bsuid text,
    bsuid_key text,
    window_until_ms integer,
    time_zone text,
    locale text
  );
CREATE UNIQUE INDEX contacts_by_user on contacts (company_id, bot_id, user_key);
CREATE INDEX contacts_by_phone on contacts (company_id, bot_id, phone_key) where phone_key is not null;
CREATE INDEX contacts_by_bsuid on contacts (company_id, bot_id, bsuid_key) where bsuid_key is not null;
CREATE TABLE memories (
    contact integer not null,
    name_key text not null,
    name text not null,
    value text not null,
    expires_at_ms integer,
    primary key (contact, name_key)
  ) strict, without rowid;
CREATE TABLE queue (
    seq integer primary key autoincrement,
    company_id text not null,
    lane text not null,
    accepted_at_ms integer not null,
    accepted text not null,
    rank integer not null
  );
CREATE INDEX queue_by_lane on queue (lane, rank, seq);
CREATE TABLE set_aside (
    seq integer not null primary key,
    company_id text not null,
    lane text not null,
    accepted_at_ms integer not null,
    accepted text not null
  );
CREATE TABLE take_ups (lane text not null primary key, count integer not null) strict, without rowid;
CREATE TABLE seen (key text not null primary key, until_ms integer not null, answer text not null) strict, without rowid;
CREATE INDEX seen_by_end on seen (until_ms);
CREATE TABLE contents (company_id text not null, hash text not null, canvas text not null, primary key (company_id, hash));
CREATE TABLE drafts (company_id text not null, workflow_id text not null, hash text not null, primary key (company_id, workflow_id)) strict, without rowid;
CREATE TABLE versions (
    company_id text not null,
    workflow_id text not null,
    version integer not null,
    hash text not null,
    published_at_ms integer not null,
    primary key (company_id, workflow_id, version)
  ) strict, without rowid;
CREATE TABLE exported (execution integer not null primary key);
CREATE TABLE turns (name text not null primary key, holder text not null, until_ms integer not null) strict, without rowid;
CREATE TABLE held_signals (
    company_id text not null,
    id text not null,
    signal_name text not null,
    signal_value text not null,
    signal text not null,
    held_at_ms integer not null,
    until_ms integer not null, primary key (company_id, id)
  ) strict, without rowid;
CREATE INDEX held_signals_by_name on held_signals (company_id, signal_name, signal_value, held_at_ms, id);
CREATE INDEX held_signals_by_end on held_signals (until_ms);
insert into meta (name, value) values ('application', 'hilo');
insert into meta (name, value) values ('schema', '12');
insert into executions (id, company_id, execution_id, workflow_id, version, revision, lane, parent_execution_id, parent_wait_id, created_at_ms, updated_at_ms, status, bot_key, user_key, wait_id, due_at_ms, reply_since_ms, reply_order, signal_name, signal_value, unsettled, ended_at_ms, begun, state) values (1, '1', '01a223f8d98b7407970f0c7fb669dce7', 'parking', 1, 1, '1/user/bot/51900000001', null, null, 1795899840908, 1795899840908, 'waiting', 'bot', '51900000001', 'wait#1.1.0', 1797714240908, null, 1, null, null, null, null, '[0,[0,1,[38,[-1],1795899840908,[6,[-21],[-21],[9,"1",[-7],[-8],"bot","51900000001"],0,"9f868dddf640fa594e845e5f593e177d",[-23],"9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0",[22,[33,[-24],null,[-24],[-24]],{}],{}]],[0]],[0,1,[39,[-2],"hook",[48,[-9],[0,[51,[0,[-11],"order"],[36,{"id":"A-1 \u0000 \ud800","user":[-24]},{"content-type":"application/json"},{},"POST","new",[-21],true]]]],[-23]],[0,[54,[-23],"hook",1,[-9],"new",[-44]],[54,[-23],"keep",1,"set","next",[0,[51,[0,[-12],"order"],[-37]]]],[58,[-23],"wait",1,[-18],[63,[-17],1797714240908]]]]]', '+[3,[-21],[-21],[-25],0,[-26],[-23],[-27],[-14],[10,"wait",1,1,[-23],[-34],[-34]],[11,"wait#1.1.0",[-17],"wait",[-23],[-52],[-19],false],{"hook":1,"keep":1,"wait":1},3,3,945,{},[0],false,[25,[21,null,null,null,null],[-28],[-29],{"executionId":[-21],"order":[-37]},{"order":[-42]}],202]');
insert into executions (id, company_id, execution_id, workflow_id, version, revision, lane, parent_execution_id, parent_wait_id, created_at_ms, updated_at_ms, status, bot_key, user_key, wait_id, due_at_ms, reply_since_ms, reply_order, signal_name, signal_value, unsettled, ended_at_ms, begun, state) values (2, '1', '01a223f8d9ad78ceb35d4c91855ac273', 'parking', 1, 2, '1/user/bot/51900000002', null, null, 1795899840941, 1795899840949, 'completed', 'bot', '51900000002', null, null, null, 1, null, null, null, 1795899840949, '[0,[0,1,[38,[-1],1795899840941,[6,[-21],[-21],[9,"1",[-7],[-8],"bot","51900000002"],0,"9dc54e70441e8348a96e1221440d8089",[-23],"9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0",[22,[33,[-24],null,[-24],[-24]],{}],{}]],[0]],[0,1,[39,[-2],"hook",[48,[-9],[0,[51,[0,[-11],"order"],[36,{"id":"A-2","user":[-24]},{"content-type":"application/json"},{},"POST","new",[-21],true]]]],[-23]],[0,[54,[-23],"hook",1,[-9],"new",[-43]],[54,[-23],"keep",1,"set","next",[0,[51,[0,[-12],"order"],"A-2"]]],[58,[-23],"wait",1,[-18],[63,[-17],1797714240941]]]]]', '[5,[-21],[-21],[9,"1",[-7],[-8],"bot","51900000002"],0,"9dc54e70441e8348a96e1221440d8089",1795899840941,"9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0",[-16],{"hook":1,"keep":1,"wait":1,"done":1},4,1,1744,{},[0],false,[26,[21,null,null,null,null],[33,[-23],null,[-23],[-23]],{},{"executionId":[-21],"order":"A-2"},{"order":[36,{"id":"B","executionId":[-21]},{"content-type":"application/json"},{},"POST","resume",[-21],false]},{}],200,[17,[-42]]]');
insert into executions (id, company_id, execution_id, workflow_id, version, revision, lane, parent_execution_id, parent_wait_id, created_at_ms, updated_at_ms, status, bot_key, user_key, wait_id, due_at_ms, reply_since_ms, reply_order, signal_name, signal_value, unsettled, ended_at_ms, begun, state) values (3, '1', '01a223f8d9c0795db84cf8fffa223117', 'saying', 1, 2, '1/user/bot/51900000003', null, null, 1795899840960, 1795899840976, 'completed', 'bot', '51900000003', null, null, null, 1, null, null, null, 1795899840976, '[0,[0,1,[38,[-1],1795899840960,[6,[-21],[-21],[9,"1",[-7],[-8],"bot","51900000003"],0,"8e772b17058a05dca3c8e4fe3d4f8ef4",[-23],"13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37",[22,[33,[-24],null,[-24],[-24]],{}],{}]],[0]],[0,1,[39,[-2],"hook",[48,[-9],[0,[51,[0,[-11],"order"],[36,{"id":"Hello Ana","user":[-24]},{"content-type":"application/json"},{},"POST","new",[-21],true]]]],[-23]],[0,[54,[-23],"hook",1,[-9],"new",[-44]],[57,[-23],"say",1,[-10],[60,"message.send","01a223f8d9c0795db84cf8fffa223117/say#1.0",[64,[66,"text",[-37],true]]]]]]]', '{"executionId":[-21],"rootId":[-21],"origin":[9,"1",[-7],[-8],"bot","51900000003"],"depth":0,"seed":"8e772b17058a05dca3c8e4fe3d4f8ef4","startedAtMs":1795899840960,"canvasHash":"13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37","status":[-16],"visits":{"hook":1,"say":1,"done":1},"visitsInAll":3,"visitsSinceWait":3,"historySize":1226,"memos":{},"resumedOnce":[0],"isCaught":false,"variables":[26,[21,null,null,null,null],[33,[-23],null,[-23],[-23]],{},{"executionId":[-21]},{"order":[36,{"id":"Hello Ana","user":[-23]},{"content-type":"application/json"},{},"POST","new",[-21],true]},{}],"variablesSize":195,"ending":[17,[-42]],"said":[0,"wamid.1"]}');
insert into executions (id, company_id, execution_id, workflow_id, version, revision, lane, parent_execution_id, parent_wait_id, created_at_ms, updated_at_ms, status, bot_key, user_key, wait_id, due_at_ms, reply_since_ms, reply_order, signal_name, signal_value, unsettled, ended_at_ms, begun, state) values (4, '1', '01a223f8d9d071bcbc07af9bdf0ae963', 'saying', 1, 1, '1/user/bot/51900000004', null, null, 1795899840976, 1795899840977, 'running', 'bot', '51900000004', null, null, null, 1, null, null, 1, null, '[0,[0,1,[38,[-1],1795899840976,[6,[-21],[-21],[9,"1",[-7],[-8],"bot","51900000004"],0,"8b97e559b11f4d9dfa95e7870c626649",[-23],"13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37",[22,[33,[-24],null,[-24],[-24]],{}],{}]],[0]],[0,1,[39,[-2],"hook",[48,[-9],[0,[51,[0,[-11],"order"],[36,{"id":"never","user":[-24]},{"content-type":"application/json"},{},"POST","new",[-21],true]]]],1795899840977],[0,[54,[-45],"hook",1,[-9],"new",[-43]],[57,[-45],"say",1,[-10],[60,"message.send","01a223f8d9d071bcbc07af9bdf0ae963/say#1.0",[64,[66,"text","never",true]]]]]]]', '+[4,[-21],[-21],[-25],0,[-26],[-23],[-27],[-15],[10,"say",1,1,[-45],[-34],[-34]],[15,[-49],"say",1,[-48],[-51],60000,[19,"TIMEOUT","No answer within 60000 ms"]],{"hook":1,"say":1},2,2,898,{},[0],false,[25,[21,null,null,null,null],[-28],[-29],{"executionId":[-21]},{"order":[-41]}],193]');
insert into histories (id, execution, body) values (1, 2, '[0,[0,2,[45,[-3],"wait#1.1.0","hook",false,[0,[51,[0,[-11],"order"],[36,{"id":"B","executionId":[-21]},{"content-type":"application/json"},{},"POST","resume",[-21],false]]],1795899840949],[0,[54,[-33],"wait",1,[-18],[-20],[-32]],[52,[-33],"done",1,"end"]]]]');
insert into histories (id, execution, body) values (2, 3, '[0,[0,2,[41,[-5],"01a223f8d9c0795db84cf8fffa223117/say#1.0",[16,"result",[67,"sent","wamid.1"]],1795899840976],[0,[53,[-28],"say",1,[-10],"sent"],[52,[-28],"done",1,"end"]]]]');
insert into contacts (id, company_id, bot_id, user_key, user_id, names, phone, phone_key, bsuid, bsuid_key, window_until_ms, time_zone, locale) values (1, '1', 'bot', '51900000001', '51900000001', null, '51900000001', '51900000001', null, null, null, null, null);
insert into contacts (id, company_id, bot_id, user_key, user_id, names, phone, phone_key, bsuid, bsuid_key, window_until_ms, time_zone, locale) values (2, '1', 'bot', '51900000002', '51900000002', null, '51900000002', '51900000002', null, null, null, null, null);
insert into contacts (id, company_id, bot_id, user_key, user_id, names, phone, phone_key, bsuid, bsuid_key, window_until_ms, time_zone, locale) values (3, '1', 'bot', '51900000003', '51900000003', null, '51900000003', '51900000003', null, null, null, null, null);
insert into contacts (id, company_id, bot_id, user_key, user_id, names, phone, phone_key, bsuid, bsuid_key, window_until_ms, time_zone, locale) values (4, '1', 'bot', '51900000004', '51900000004', null, '51900000004', '51900000004', null, null, null, null, null);
insert into seen (key, until_ms, answer) values ('1:webhook:parking:hook:production:key-1', 1796591040911, '{"executionId":"01a223f8d98b7407970f0c7fb669dce7"}');
insert into contents (company_id, hash, canvas) values ('1', '9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0', '{"schemaVersion":1,"id":"parking","name":"Parking","kind":"skill","settings":{},"variables":{},"nodes":[{"id":"hook","type":"webhook","data":{"variableName":"order","methods":["POST"],"userIdPath":"user","executionIdPath":"executionId"}},{"id":"keep","type":"set","data":{"assignments":[{"path":"$context.order","value":"{{$webhook.order.body.id}}"}]}},{"id":"wait","type":"wait-external","data":{"timeout":"P21D"}},{"id":"done","type":"end","data":{}}],"edges":[{"source":"hook","sourceHandle":"new","target":"keep"},{"source":"keep","target":"wait"},{"source":"wait","sourceHandle":"resumed","target":"done"},{"source":"wait","sourceHandle":"timeout","target":"done"}]}');
insert into contents (company_id, hash, canvas) values ('1', '13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37', '{"schemaVersion":1,"id":"saying","name":"Saying","kind":"skill","settings":{},"variables":{},"nodes":[{"id":"hook","type":"webhook","data":{"variableName":"order","methods":["POST"],"userIdPath":"user","executionIdPath":"executionId"}},{"id":"say","type":"message","data":{"message":{"type":"text","text":"{{$webhook.order.body.id}}"}}},{"id":"done","type":"end","data":{}}],"edges":[{"source":"hook","sourceHandle":"new","target":"say"},{"source":"say","sourceHandle":"sent","target":"done"}]}');
insert into drafts (company_id, workflow_id, hash) values ('1', 'parking', '9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0');
insert into drafts (company_id, workflow_id, hash) values ('1', 'saying', '13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37');
insert into versions (company_id, workflow_id, version, hash, published_at_ms) values ('1', 'parking', 1, '9f74e6fc499f4b5433903026972bb3530db870db7d4c8cde80145a1fa4c12ff0', 1795899840825);
insert into versions (company_id, workflow_id, version, hash, published_at_ms) values ('1', 'saying', 1, '13e6295802553308ff6f6a4c064b7b9947b29225115f4401d81bbc1b3ffaaa37', 1795899840892);
