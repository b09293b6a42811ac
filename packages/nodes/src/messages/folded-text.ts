/** How texts of users are compared, as expressions do too: the language has `fold`. */
export { foldLetters, foldSigns, foldText, lookedAt, readBeginning, showsNothing } from '@hilo/engine/contract';
