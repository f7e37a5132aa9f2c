// Those classes of Unity that the kit and its sample use, without what they do: a test compiles both against them, since
// Unity itself is not to be had there. Signatures as in Unity 2021.3.
using System;

namespace UnityEngine
{
    public class Object
    {
    }

    public class Component : Object
    {
    }

    public class Behaviour : Component
    {
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public class TextAsset : Object
    {
        public string text
        {
            get { return null; }
        }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute
    {
    }

    public class AsyncOperation
    {
        public event Action<AsyncOperation> completed
        {
            add { }
            remove { }
        }
    }

    public static class Application
    {
        public static string persistentDataPath
        {
            get { return null; }
        }

        public static string version
        {
            get { return null; }
        }
    }

    public static class Debug
    {
        public static void Log(object message)
        {
        }
    }

    public static class PlayerPrefs
    {
        public static string GetString(string key, string defaultValue)
        {
            return defaultValue;
        }

        public static void SetString(string key, string value)
        {
        }

        public static void Save()
        {
        }
    }

    public class GUILayoutOption
    {
    }

    public static class GUILayout
    {
        public static void Label(string text, params GUILayoutOption[] options)
        {
        }

        public static bool Button(string text, params GUILayoutOption[] options)
        {
            return false;
        }
    }
}

namespace UnityEngine.Networking
{
    public class UploadHandler : IDisposable
    {
        public void Dispose()
        {
        }
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data)
        {
        }
    }

    public class DownloadHandler : IDisposable
    {
        public void Dispose()
        {
        }
    }

    public class DownloadHandlerScript : DownloadHandler
    {
        public DownloadHandlerScript(byte[] preallocatedBuffer)
        {
        }

        protected virtual bool ReceiveData(byte[] data, int dataLength)
        {
            return true;
        }
    }

    public class UnityWebRequestAsyncOperation : AsyncOperation
    {
    }

    public class UnityWebRequest : IDisposable
    {
        public enum Result
        {
            InProgress,
            Success,
            ConnectionError,
            ProtocolError,
            DataProcessingError,
        }

        public UnityWebRequest(string url, string method)
        {
        }

        public UploadHandler uploadHandler { get; set; }

        public DownloadHandler downloadHandler { get; set; }

        public int redirectLimit { get; set; }

        public long responseCode
        {
            get { return 0; }
        }

        public string error
        {
            get { return null; }
        }

#if UNITY_2020_2_OR_NEWER
        public Result result
        {
            get { return Result.InProgress; }
        }
#else
        public bool isNetworkError
        {
            get { return false; }
        }
#endif

        public void SetRequestHeader(string name, string value)
        {
        }

        public string GetResponseHeader(string name)
        {
            return null;
        }

        public UnityWebRequestAsyncOperation SendWebRequest()
        {
            return null;
        }

        public void Abort()
        {
        }

        public void Dispose()
        {
        }
    }
}
