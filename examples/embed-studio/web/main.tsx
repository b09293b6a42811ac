import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Bots } from './Bots.tsx';
import { Login, type Session } from './Login.tsx';
import './host.css';

function Product() {
  const [session, setSession] = useState<Session>();
  return session === undefined ? <Login onLogin={setSession} /> : <Bots session={session} onLogout={() => setSession(undefined)} />;
}

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Product />
    </StrictMode>,
  );
