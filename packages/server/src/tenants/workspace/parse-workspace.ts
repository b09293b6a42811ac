import { getManyValues, type Many, none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

/** More levels than any workspace has, and fewer than what checks it can take. */
const mostLevels = 1_000;

/** Why a text is not taken, for whoever wrote it. Recognise it by its class. */
export class UnfitText extends Error {
  override readonly name = 'UnfitText';
}

/** Takes the text of a workspace piece by piece. */
export interface WorkspaceParser {
  /** @throws {UnfitText} for more than can be checked; {SyntaxError} for what is no JSON */
  write(text: string): void;
  /** @returns all of the workspace but users, of which each company has an empty list */
  end(): unknown;
}

/**
 * Parses a workspace while it is read: users are handed over one by one, as the items of `/companies/…/users` end, so that a
 * workspace may have any number of them. Everything else is built in memory, as by `JSON.parse`.
 *
 * @param onUser - told the place of the company in its list, and what stands for the user
 */
export function createWorkspaceParser(onUser: (company: number, user: unknown) => void): WorkspaceParser {
  // A stage of `stream-chain` is told the end by `none`, which the type of its input leaves out.
  const parse = jsonParser({ packValues: true, streamValues: false }) as (text: string | typeof none) => Many<Token> | typeof none;
  const whole = new Assembler();
  const listed = new Set<number>();
  /** The company whose users are being read. */
  let company: number | undefined;
  let user: Assembler | undefined;

  const takeUser = (token: Token, of: number): void => {
    user ??= new Assembler();
    user.consume(token);
    if (user.depth > mostLevels) throw tooDeep();
    if (!user.done) return;
    onUser(of, user.current);
    user = undefined;
  };

  const take = (token: Token): void => {
    if (company !== undefined && (user !== undefined || token.name !== 'endArray')) {
      takeUser(token, company);
      return;
    }
    company = undefined;
    whole.consume(token);
    if (whole.depth > mostLevels) throw tooDeep();
    if (token.name !== 'startArray') return;
    const [companies, place, users, ...deeper] = whole.path;
    if (companies !== 'companies' || typeof place !== 'number' || users !== 'users' || deeper.length > 0) return;
    if (listed.has(place)) throw new UnfitText(`Company ${place + 1} of the workspace has "users" twice`);
    listed.add(place);
    company = place;
  };

  const feed = (text: string | typeof none): void => {
    const tokens = syntaxOf(() => parse(text));
    if (tokens !== none) for (const token of getManyValues(tokens)) take(token);
  };

  return {
    write: feed,
    end() {
      feed(none);
      return whole.current;
    },
  };
}

const tooDeep = (): UnfitText => new UnfitText(`The workspace is nested more than ${mostLevels} levels deep`);

/** The parser's own sentences may repeat what stands there, which may be a secret (P31). */
function syntaxOf<Result>(parsing: () => Result): Result {
  try {
    return parsing();
  } catch (error) {
    throw new SyntaxError('This is no JSON', { cause: error });
  }
}
