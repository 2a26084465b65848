// Starts `aircc lsp` for MLIR files. Everything else is in the language server.

const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

let client;

async function start() {
  const command = vscode.workspace.getConfiguration('aircc').get('path') || 'aircc';
  client = new LanguageClient('aircc', 'aircc', {command, args: ['lsp']}, {
    documentSelector: [{language: 'mlir'}],
    synchronize: {fileEvents: vscode.workspace.createFileSystemWatcher('**/aircc.json')},
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
        `Cannot start '${command} lsp': ${error.message}. The setting aircc.path names the binary.`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning())
    await running.stop();
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  context.subscriptions.push(
      vscode.commands.registerCommand('aircc.restart', restart),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('aircc.path'))
          restart();
      }));
  return start();
}

module.exports = {activate, deactivate: stop};
