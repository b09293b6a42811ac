import { Component, type ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Loading } from './parts.tsx';

/**
 * Shows why a screen could not be drawn, instead of an empty page: a part of the application that could not be loaded, because the session
 * is over or the service was replaced, or a mistake of ours. A new visit of the page begins with what was saved or kept in this browser.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: string | undefined }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: string } {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <FailedScreen error={error} />;
  }
}

/** What browsers say of a module that they cannot load, and the builder of its style. */
const isOfModule = /dynamically imported module|Importing a module script|Unable to preload CSS/;

function FailedScreen({ error }: { readonly error: string }) {
  const say = useWords();
  return (
    <main className="page">
      <h1>{say('app.notShown')}</h1>
      <Loading error={isOfModule.test(error) ? say('app.notLoaded') : error} onRetry={() => location.reload()} />
    </main>
  );
}
