import { isDialerError } from '@hilo/drivers';
import type { ChannelCall, ChannelCheck, ChannelContext } from './channel-adapter.ts';
import { callProvider, isSuccess, type ProviderAnswer } from './provider-answer.ts';

/** The time limit of a check, for which an operator waits. */
const checkMs = 10_000;

interface Read {
  readonly call: ChannelCall;
  /** The provider's name for the bot; `undefined` when the response has none. */
  name(answer: ProviderAnswer): string | undefined;
  /** The provider's error text; `undefined` for a response without one. */
  error(answer: ProviderAnswer): string | undefined;
}

/** Makes the provider's cheapest read, and describes the result in words. */
export async function checkByRead(
  { call, name, error }: Read,
  context: Pick<ChannelContext<unknown, unknown>, 'dialer'>,
): Promise<ChannelCheck> {
  try {
    const answer = await callProvider({ timeoutMs: checkMs, maxBytes: 65_536, ...call }, context);
    const [problem, known] = [error(answer), name(answer)];
    if (isSuccess(answer) && problem === undefined && known !== undefined)
      return { isWorking: true, message: `The provider knows this bot as ${known}` };
    return {
      isWorking: false,
      message:
        problem === undefined
          ? describeUnknown(answer)
          : `The provider answered ${answer.status}: ${problem.slice(0, 500)}. ${advise(answer)}`,
    };
  } catch (cause) {
    if (!isDialerError(cause)) throw cause;
    return {
      isWorking: false,
      message: `The provider was not reached (${cause.code}): ${cause.message}. Check baseUrl, the network, and HILO_EGRESS_ALLOW`,
    };
  }
}

const describeUnknown = ({ status }: ProviderAnswer): string =>
  `What answered (${status}) does not speak the interface of this provider. Check baseUrl and the ids in the workspace`;

function advise({ status }: ProviderAnswer): string {
  if (status === 429) return 'It asks for time: check again later';
  if (status >= 500) return 'It has troubles of its own: check again later';
  return 'Check the token and its permissions, and the ids in the workspace';
}
