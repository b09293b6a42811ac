import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isProgram, judgeContent, nameOfFile } from './judge-content.ts';

describe('the name of a file', () => {
  it.each([
    ['bill.pdf', 'pdf', 'bill.pdf'],
    ['bill.PDF.EXE', 'pdf', 'bill.PDF.EXE.pdf'],
    ['bill.exe. .', 'png', 'bill.exe. ..png'],
    ['page.html', 'html', 'page.html'],
    ['page.html', 'txt', 'page.html.txt'],
    ['drawing.svg', 'svg', 'drawing.svg'],
    ['drawing.svg', 'png', 'drawing.svg.png'],
    ['exe', 'png', 'exe'],
    ['.exe', 'png', '.exe.png'],
    ['report.docx', 'zip', 'report.docx'],
    ['..', 'png', 'file.png'],
    ['', 'png', 'file.png'],
    [undefined, 'png', 'file.png'],
  ])('%s of %s is %s', (given, extension, name) => {
    expect(nameOfFile(given, extension, 'file')).toBe(name);
  });

  it('ends with no program or page that its bytes are not, whatever is written around it', () => {
    const around = fc.constantFrom('', '.', ' ', '..', '. .', '/', '\u202e', '\0', 'a', 'pdf.', 'É');
    const ends = fc.constantFrom('exe', 'EXE', 'html', 'hta', 'js', 'lnk', 'Svg', 'bat', 'ps1');
    fc.assert(
      fc.property(around, ends, around, fc.constantFrom('png', 'pdf', 'txt'), (before, end, after, extension) => {
        const name = nameOfFile(`x${before}.${end}${after}`, extension, 'file');
        const shown = name.replace(/[. ]+$/, '').toLowerCase();
        expect(shown.endsWith(`.${end.toLowerCase()}`)).toBe(false);
      }),
    );
  });
});

it('a program is told by its first bytes, and nothing that a message has is one', async () => {
  const bytesOf = (first: string) => Buffer.concat([Buffer.from(first, 'latin1'), Buffer.alloc(300)]);
  for (const first of ['MZ\x90\0', '\x7fELF', '\0asm\x01\0\0\0', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe']) {
    const judged = await judgeContent(bytesOf(first), { said: 'image/png' });
    expect([first, 'type' in judged && (isProgram(judged.type) || judged.extension === 'bin')]).toEqual([first, true]);
  }
  for (const first of ['%PDF-1.7', '\x89PNG\r\n\x1a\n', 'GIF89a', '\xff\xd8\xff', 'PK\x03\x04', 'OggS']) {
    const judged = await judgeContent(bytesOf(first), {});
    expect([first, 'type' in judged && !isProgram(judged.type)]).toEqual([first, true]);
  }
});
