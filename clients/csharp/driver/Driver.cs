// The C# kit as a program that the conformance scenarios drive: clients/conformance/README.md says how. It is compiled
// together with Loadout.cs, whose scanner and writer of JSON it uses.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Loadout.Driving
{
    internal static class Program
    {
        private static void Main()
        {
            // JSON is UTF-8 whatever the machine's culture is.
            var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            output.WriteLine("{\"driver\":\"csharp\",\"can\":[\"stream\"]}");
            new Driver(new CommandLines(input), output).Run();
        }
    }

    /// <summary>The lines of the input, read by a thread of their own: the driver waits for them and for the network at once.</summary>
    internal sealed class CommandLines
    {
        public readonly AutoResetEvent Woken = new AutoResetEvent(false);
        private readonly ConcurrentQueue<string> _lines = new ConcurrentQueue<string>();

        public CommandLines(TextReader input)
        {
            var reader = new Thread(() =>
            {
                string line;
                while ((line = input.ReadLine()) != null) Put(line);
                Put(null);
            });
            reader.IsBackground = true;
            reader.Start();
        }

        /// <param name="line">Null: the input ended.</param>
        public bool TryNext(out string line)
        {
            return _lines.TryDequeue(out line);
        }

        private void Put(string line)
        {
            _lines.Enqueue(line);
            Woken.Set();
        }
    }

    /// <summary>Begins commands in their order, and writes their responses.</summary>
    internal sealed class Driver
    {
        /// <summary>More timers than any scenario has: a kit that asks in a loop is found out.</summary>
        private const int TimersMax = 200000;
        private readonly CommandLines _lines;
        private readonly TextWriter _output;
        private Game _game;

        public Driver(CommandLines lines, TextWriter output)
        {
            _lines = lines;
            _output = output;
        }

        public void Run()
        {
            for (;;)
            {
                while (_lines.TryNext(out string line))
                {
                    if (line == null) return;
                    Begin(line);
                    Settle();
                }
                _lines.Woken.WaitOne();
                Settle();
            }
        }

        private void Begin(string line)
        {
            long n;
            if (!JsonValue.TryParse(line, out JsonValue command) || !command.TryMember("n", out n)) throw new InvalidDataException(line);
            command.TryMember("command", out string name);
            try
            {
                if (_game == null && name != "create") throw new InvalidOperationException("There is no client yet: create comes first.");
                Obey(n, name, command);
            }
            catch (Exception error)
            {
                Respond(n, "error", JsonText.Quote(error.Message));
            }
        }

        private void Obey(long n, string name, JsonValue command)
        {
            switch (name)
            {
                case "start":
                    RespondLater(n, _game.Client.StartAsync(Milliseconds(command, "waitMs")), Game.Describe);
                    return;
                case "setUser":
                    RespondLater(n, _game.Client.SetUserAsync(Text(command, "user"), Milliseconds(command, "waitMs")), Game.Describe);
                    return;
                case "refresh":
                    RespondLater(n, _game.Client.RefreshAsync(), outcome => JsonText.Quote(outcome.ToString().ToLowerInvariant()));
                    return;
                case "flush":
                    Task flush = _game.Client.FlushAsync();
                    flush.ContinueWith(_ => Respond(n, "ok", "null"), TaskContinuationOptions.ExecuteSynchronously);
                    return;
                default:
                    string result = name == "create" ? Create(command) : ObeyAtOnce(name, command);
                    Settle();
                    Respond(n, "ok", result);
                    return;
            }
        }

        private string Create(JsonValue command)
        {
            if (_game != null) _game.Client.Stop();
            _game = new Game(command, _lines.Woken);
            return "null";
        }

        /// <returns>JSON text.</returns>
        private string ObeyAtOnce(string name, JsonValue command)
        {
            Client client = _game.Client;
            switch (name)
            {
                case "get": return _game.Get(command);
                case "activate": return client.Activate() ? "true" : "false";
                case "ready": client.Ready(); break;
                case "setContext": client.SetContext(Game.AttributesOf(command)); break;
                case "expose": client.Expose(Text(command, "id")); break;
                case "track": client.Track(Text(command, "name"), Game.Number(command, "value")); break;
                case "setConsent": client.SetConsent(IsOn(command, "isGiven")); break;
                case "suspend": client.Suspend(); break;
                case "resume": client.Resume(); break;
                case "stop": client.Stop(); break;
                case "advance": Advance(command); break;
                case "idle": WaitUntilIdle(); break;
                case "setWall": _game.Clock.MoveWall((long)Game.Number(command, "ms")); break;
                case "throwInListeners": _game.ThrowsInListeners = IsOn(command, "isOn"); break;
                case "failStorage": _game.Storage.Fails = IsOn(command, "isOn"); break;
                case "watched": return _game.TakeWatched();
                case "logged": return _game.TakeLogged();
                default: return _game.Storage.Obey(name, command);
            }
            return "null";
        }

        /// <summary>Moves the clock to each due time in turn.</summary>
        private void Advance(JsonValue command)
        {
            if (!command.TryMember("patient", out JsonValue member) || !member.TryBoolean(out bool isPatient)) isPatient = true;
            long until = _game.Clock.Milliseconds + (long)Game.Number(command, "ms");
            for (int left = TimersMax; left > 0; left -= 1)
            {
                if (isPatient) WaitUntilIdle();
                else Settle();
                long due = _game.Client.DueAt;
                if (due > until)
                {
                    _game.Clock.MoveTo(until);
                    if (isPatient) WaitUntilIdle();
                    return;
                }
                _game.Clock.MoveTo(due);
                Settle();
            }
            throw new InvalidOperationException("The kit has timers without end.");
        }

        private void WaitUntilIdle()
        {
            Settle();
            while (_game.Client.IsBusy)
            {
                _lines.Woken.WaitOne();
                Settle();
            }
            // Commands that came meanwhile may have been what woke it.
            _lines.Woken.Set();
        }

        /// <summary>Twice: what the first one caused is done in the second.</summary>
        private void Settle()
        {
            if (_game == null) return;
            _game.Client.Update();
            _game.Client.Update();
        }

        private void RespondLater<T>(long n, Task<T> task, Func<T, string> describe)
        {
            task.ContinueWith(done => Respond(n, "ok", describe(done.Result)), TaskContinuationOptions.ExecuteSynchronously);
        }

        private void Respond(long n, string member, string json)
        {
            _output.WriteLine("{\"n\":" + JsonText.Number(n) + ",\"" + member + "\":" + json + "}");
        }

        private static TimeSpan Milliseconds(JsonValue command, string member)
        {
            return TimeSpan.FromMilliseconds(Game.Number(command, member));
        }

        private static string Text(JsonValue command, string member)
        {
            command.TryMember(member, out string text);
            return text;
        }

        private static bool IsOn(JsonValue command, string member)
        {
            return command.TryMember(member, out JsonValue value) && value.TryBoolean(out bool isOn) && isOn;
        }
    }

    /// <summary>Members of a command, one by one.</summary>
    internal static class CommandMembers
    {
        public static bool TryMember(this JsonValue command, string name, out JsonValue value)
        {
            value = command.Pick(name)[0];
            return !value.IsNull;
        }

        public static bool TryMember(this JsonValue command, string name, out string value)
        {
            return command.Pick(name)[0].TryString(out value);
        }

        public static bool TryMember(this JsonValue command, string name, out long value)
        {
            return command.Pick(name)[0].TryInteger(out value);
        }
    }

    /// <summary>A client with all that a game gives it.</summary>
    internal sealed class Game
    {
        public readonly StandingClock Clock;
        public readonly FolderStorage Storage;
        public readonly Client Client;
        private readonly List<string> _watched = new List<string>();
        private readonly List<string> _logged = new List<string>();

        public Game(JsonValue command, AutoResetEvent woken)
        {
            JsonValue options;
            if (!command.TryMember("options", out options)) throw new ArgumentException("create has no options.");
            options.TryMember("storage", out string folder);
            Clock = new StandingClock((long)Number(command, "wallMs"));
            Storage = new FolderStorage(folder);
            ClientOptions read = Read(options);
            read.Clock = Clock;
            read.Storage = folder == null ? null : Storage;
            read.Random = RandomOf(command);
            read.Log = OnLog;
            read.Transport = new WakingTransport(new HttpClientTransport(), woken);
            Client = new Client(read);
            Client.Watch(OnNotice);
        }

        public bool ThrowsInListeners { get; set; }

        public static string Describe(StartResult result)
        {
            var json = new StringBuilder("{");
            JsonText.Member(json, "source", JsonText.Quote(NameOf(result.Source)));
            JsonText.Member(json, "sequence", JsonText.Number(result.Sequence));
            JsonText.Member(json, "recovered", result.Recovered ? "true" : "false");
            JsonText.Member(json, "failure", JsonText.QuoteOrNull(result.Failure));
            return json.Append('}').ToString();
        }

        /// <summary>0 if there is none.</summary>
        public static double Number(JsonValue command, string member)
        {
            return command.TryMember(member, out JsonValue value) && value.TryDouble(out double number) ? number : 0;
        }

        public static Attributes AttributesOf(JsonValue holder)
        {
            var attributes = new Attributes();
            if (!holder.TryMember("attributes", out JsonValue given)) return attributes;
            JsonMembers members = given.Members();
            while (members.MoveNext()) attributes.AddJson(members.Name, members.Value.Raw);
            return attributes;
        }

        public string Get(JsonValue command)
        {
            string id, pointer, type;
            command.TryMember("id", out id);
            command.TryMember("pointer", out pointer);
            command.TryMember("type", out type);
            command.TryMember("default", out string text);
            if (text == null || !JsonValue.TryParse(text, out JsonValue given)) throw new ArgumentException("The default is no JSON text.");
            switch (type)
            {
                case "boolean":
                    given.TryBoolean(out bool isTrue);
                    return Describe(Client.Get(id, pointer, isTrue), value => value ? "true" : "false");
                case "integer":
                    given.TryInteger(out long integer);
                    return Describe(Client.Get(id, pointer, integer), JsonText.Number);
                case "double":
                    given.TryDouble(out double number);
                    return Describe(Client.Get(id, pointer, number), JsonText.Number);
                case "string":
                    given.TryString(out string characters);
                    return Describe(Client.Get(id, pointer, characters), JsonText.QuoteOrNull);
                case "json":
                    return Describe(Client.GetJson(id, pointer, text), value => value);
                default:
                    throw new ArgumentException("No type is called " + type + ".");
            }
        }

        public string TakeWatched()
        {
            string all = "[" + string.Join(",", _watched.ToArray()) + "]";
            _watched.Clear();
            return all;
        }

        public string TakeLogged()
        {
            string all = JsonText.Array(_logged);
            _logged.Clear();
            return all;
        }

        private static string Describe<T>(ConfigValue<T> got, Func<T, string> write)
        {
            var json = new StringBuilder("{");
            JsonText.Member(json, "value", JsonText.Quote(write(got.Value)));
            JsonText.Member(json, "source", JsonText.Quote(NameOf(got.Source)));
            JsonText.Member(json, "isPastChange", got.IsPastChange ? "true" : "false");
            return json.Append('}').ToString();
        }

        private static string NameOf(Source source)
        {
            return source.ToString().ToLowerInvariant();
        }

        private static Func<double> RandomOf(JsonValue command)
        {
            long seed;
            if (command.TryMember("seed", out JsonValue member) && member.TryInteger(out seed)) return new Random((int)seed).NextDouble;
            if (!command.TryMember("random", out member) || !member.TryDouble(out double drawn)) drawn = 0.5;
            return () => drawn;
        }

        private static ClientOptions Read(JsonValue options)
        {
            var read = new ClientOptions { Attributes = AttributesOf(options) };
            JsonMembers members = options.Members();
            while (members.MoveNext())
            {
                members.Value.TryString(out string text);
                switch (members.Name)
                {
                    case "url": read.Url = text; break;
                    case "key": read.Key = text; break;
                    case "user": read.User = text; break;
                    case "appVersion": read.AppVersion = text; break;
                    case "baseline": read.Baseline = text; break;
                    case "updates": read.Updates = UpdatesOf(text); break;
                    case "ids": read.Ids = StringsOf(members.Value); break;
                    case "pollSeconds": read.PollSeconds = Number(options, "pollSeconds"); break;
                    case "autoActivate": read.AutoActivate = members.Value.Raw == "true"; break;
                    case "consentRequired": read.ConsentRequired = members.Value.Raw == "true"; break;
                    case "attributes": break;
                    case "storage": break;
                    default: throw new ArgumentException("No option is called " + members.Name + ".");
                }
            }
            return read;
        }

        private static Updates UpdatesOf(string name)
        {
            switch (name)
            {
                case "stream": return Updates.Stream;
                case "poll": return Updates.Poll;
                case "none": return Updates.None;
                default: throw new ArgumentException("updates is stream, poll or none.");
            }
        }

        private static List<string> StringsOf(JsonValue array)
        {
            if (!array.IsArray) return null;
            var strings = new List<string>();
            JsonElements elements = array.Elements();
            while (elements.MoveNext())
            {
                elements.Value.TryString(out string each);
                strings.Add(each);
            }
            return strings;
        }

        private void OnNotice(Notice notice)
        {
            var json = new StringBuilder("{");
            JsonText.Member(json, "type", JsonText.Quote(notice.Type.ToString().ToLowerInvariant()));
            JsonText.Member(json, "ids", JsonText.Array(new List<string>(notice.Ids)));
            JsonText.Member(json, "sequence", JsonText.Number(notice.Sequence));
            JsonText.Member(json, "code", JsonText.QuoteOrNull(notice.Code));
            _watched.Add(json.Append('}').ToString());
            if (ThrowsInListeners) throw new InvalidOperationException("This listener always throws.");
        }

        private void OnLog(string code, string sentence)
        {
            _logged.Add(code);
            if (ThrowsInListeners) throw new InvalidOperationException("This log function always throws.");
        }
    }

    /// <summary>A clock that moves by command.</summary>
    internal sealed class StandingClock : IClock
    {
        private long _wallDifference;

        public StandingClock(long wallMs)
        {
            _wallDifference = wallMs;
        }

        public long UtcMilliseconds
        {
            get { return _wallDifference + Milliseconds; }
        }

        public long Milliseconds { get; private set; }

        public void MoveTo(long milliseconds)
        {
            Milliseconds = Math.Max(Milliseconds, milliseconds);
        }

        public void MoveWall(long milliseconds)
        {
            _wallDifference += milliseconds;
        }
    }

    /// <summary>A transport that wakes the driver with whatever comes.</summary>
    internal sealed class WakingTransport : ITransport
    {
        private readonly ITransport _transport;
        private readonly AutoResetEvent _woken;

        public WakingTransport(ITransport transport, AutoResetEvent woken)
        {
            _transport = transport;
            _woken = woken;
        }

        public bool CanStream
        {
            get { return _transport.CanStream; }
        }

        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            return _transport.Send(request, new WakingSink(sink, _woken));
        }
    }

    internal sealed class WakingSink : ITransportSink
    {
        private readonly ITransportSink _sink;
        private readonly AutoResetEvent _woken;

        public WakingSink(ITransportSink sink, AutoResetEvent woken)
        {
            _sink = sink;
            _woken = woken;
        }

        public void Head(ResponseHead head)
        {
            _sink.Head(head);
            _woken.Set();
        }

        public void Bytes(byte[] buffer, int offset, int count)
        {
            _sink.Bytes(buffer, offset, count);
            _woken.Set();
        }

        public void End()
        {
            _sink.End();
            _woken.Set();
        }

        public void Error(string message)
        {
            Console.Error.WriteLine(message);
            _sink.Error(message);
            _woken.Set();
        }
    }

    /// <summary>The kit's own storage, which can be made to fail, and commands that look into its files.</summary>
    internal sealed class FolderStorage : IStorage
    {
        private readonly string _folder;
        private readonly FileStorage _files;

        public FolderStorage(string folder)
        {
            _folder = folder;
            _files = new FileStorage(folder);
        }

        public bool Fails { get; set; }

        public string GetItem(string name)
        {
            ThrowIfFailing();
            return _files.GetItem(name);
        }

        public void SetItem(string name, string text)
        {
            ThrowIfFailing();
            _files.SetItem(name, text);
        }

        public void RemoveItem(string name)
        {
            ThrowIfFailing();
            _files.RemoveItem(name);
        }

        /// <returns>JSON text.</returns>
        public string Obey(string command, JsonValue members)
        {
            if (command == "items") return Items();
            string name, text;
            members.TryMember("name", out name);
            switch (command)
            {
                case "readItem":
                    return JsonText.QuoteOrNull(_files.GetItem(name));
                case "writeItem":
                    if (members.TryMember("text", out text)) _files.SetItem(name, text);
                    else _files.RemoveItem(name);
                    return "null";
                case "corruptItem":
                    Corrupt(Path.Combine(_folder, name), members);
                    return "null";
                default:
                    throw new ArgumentException("No command is called " + command + ".");
            }
        }

        private string Items()
        {
            var names = new List<string>();
            if (Directory.Exists(_folder))
            {
                foreach (string path in Directory.GetFiles(_folder)) names.Add(Path.GetFileName(path));
            }
            names.Sort(StringComparer.Ordinal);
            return JsonText.Array(names);
        }

        private static void Corrupt(string path, JsonValue members)
        {
            byte[] bytes = File.ReadAllBytes(path);
            JsonValue length;
            if (members.TryMember("length", out length)) Array.Resize(ref bytes, (int)Game.Number(members, "length"));
            if (members.TryMember("at", out JsonValue place))
            {
                int at = (int)Game.Number(members, "at");
                bytes[at < 0 ? bytes.Length + at : at] ^= (byte)Game.Number(members, "xor");
            }
            File.WriteAllBytes(path, bytes);
        }

        private void ThrowIfFailing()
        {
            if (Fails) throw new IOException("The storage fails by command.");
        }
    }
}
