// What other parts of the service ask of segments and groups.
export { type FindingParts, findAllPeople, findPeoplePage, hasGroup, readVariables } from './find-people.ts';
export { explainUnknownOfUser, writeScopes } from './segment-condition.ts';
