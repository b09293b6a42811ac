import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { changeWords } from '../change/change-words.ts';
import { usePartWords } from '../words/part.ts';
import type { Takeover } from './rivals.ts';

/** Which messages a workflow takes from others once it is published, and which ones others keep. */
export function TakeoverList({ takeovers }: { readonly takeovers: readonly Takeover[] }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const nameOf = (id: string): string => references?.workflows.find((workflow) => workflow.id === id)?.name ?? id;
  if (takeovers.length === 0) return null;
  return (
    <section className="takeovers">
      <h3>{say('publish.shared')}</h3>
      <ul>
        {takeovers.map(({ word, others, isTaken }, index) => {
          const what = word === undefined ? say('publish.anyMessage') : say('publish.messageOf', { word });
          const names = others.map(nameOf).join(', ');
          return (
            <li key={index} dir="auto" className={isTaken ? 'warn' : ''}>
              {say(isTaken ? 'publish.takes' : 'publish.keeps', { what, names })}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
